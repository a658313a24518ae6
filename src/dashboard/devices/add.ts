import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import { deviceFaults } from '../../fiscal/registry/device-rules.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages, type ShowAgain } from '../page-routes.ts'
import { errorsOf } from './detail.ts'
import { texts } from './texts.ts'

/** A new device, here or at a gateway. */
export function addDevicePages(pages: Pages, { v1, admin, office, role }: DashboardDeps): void {
  pages.get('/devices/new', OPERATOR, (context) => show(context, { company: context.query.company ?? '' }))

  pages.post('/devices/new', OPERATOR, async (context) => {
    const t = texts[context.language]
    const typed = readTyped(context.form)
    const company = (await office.fleet.choices(context.principal)).find(({ company }) => company.id === typed.company)
    const errors = {
      ...errorsOf(deviceFaults(typed), context),
      ...(company === undefined && { company_id: t.chooseCompany }),
      ...(company && company.gateway !== null && typed.where === '' && { where: t.companyElsewhere }),
    }
    if (company === undefined || Object.keys(errors).length > 0) return show(context, context.form, errors)
    const { company: company_id, where, ...fields } = typed
    const refused: ShowAgain = (errors) => show(context, context.form, errors)
    if (where === '') {
      const device = {
        companyId: company_id,
        premisesCode: fields.premises_code,
        label: fields.label,
        deviceConfig: {},
        premisesAddress: fields.premises_address ?? null,
        isuNumber: fields.isu_number ?? null,
      }
      const to = ({ id }: Device) => `/dashboard/devices/${id}`
      const add = (keep: Keep<Device>) => v1.addDevice(context.principal, device, keep)
      return context.once(add, { to, notice: 'device_added', refused })
    }
    const body = { company_id, ...fields }
    return context.once<GatewayCommand>(
      (keep) => admin.commands.sendCommand(context.principal, where, { type: 'device.add', body }, keep),
      { to: ({ id }) => `/dashboard/commands?of=${id}&back=/dashboard/devices`, refused },
    )
  })

  async function show(
    context: PageContext,
    values: Record<string, string | undefined>,
    errors: Record<string, string> = {},
  ) {
    const t = texts[context.language]
    const companies = await office.fleet.choices(context.principal)
    const gateways = role === 'server' ? await admin.gateways.listGateways(context.principal) : []
    const it = {
      title: t.newTitle,
      t,
      values,
      errors,
      companies: [
        ...(companies.length === 1 ? [] : [{ value: '', text: t.choose }]),
        ...companies.map(({ company: { id, name, oib } }) => ({ value: id, text: `${name} (${oib})` })),
      ],
      places: [
        { value: '', text: t.here },
        ...gateways
          .filter(({ state }) => state !== 'revoked' && state !== 'left' && state !== 'awaiting_token')
          .map(({ gateway: { id, name } }) => ({ value: id, text: t.gateway(name) })),
      ],
    }
    return context.show('devices/new', it)
  }
}

function readTyped({
  company = '',
  premises = '',
  label = '',
  address = '',
  isu = '',
  where = '',
}: Record<string, string>) {
  const given = (text: string) => (text.trim() === '' ? undefined : text.trim())
  const [premises_address, isu_number] = [given(address), given(isu)]
  return {
    company,
    where,
    label: label.trim(),
    premises_code: premises.trim(),
    ...(premises_address !== undefined && { premises_address }),
    ...(isu_number !== undefined && { isu_number }),
  }
}

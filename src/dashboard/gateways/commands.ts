import type { CertificateToSend } from '../../fiscal/gateways/queue-commands.ts'
import type { CommandType, GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject, Role } from '../../fiscal/ports/model.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { ownPath } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import { type DashboardDeps, type Fields, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { namesOf, viewOfCommand } from './command-view.ts'
import { pathOf } from './list.ts'
import { readIds, viewOfStandings } from './standing-view.ts'
import { type GatewayTexts, texts } from './texts.ts'

export function commandPages(pages: Pages, { admin, office }: DashboardDeps): void {
  for (const command of COMMAND_FORMS) {
    const { name, role } = command
    const path = `/gateways/:name/send/${name}`
    const options = { role, ...(name === 'certificate' && { fileBytes: DASHBOARD_BOUNDS.certificateFile.most }) }

    pages.get(path, { role }, (context) => form(context, command, context.query, {}))

    pages.post(path, options, async (context) => {
      const { principal, params, reply } = context
      const signal = whileCallerWaits(reply.raw)
      const gateway = params.name ?? ''
      const read = readCommand(command, context, texts[context.language])
      if ('errors' in read) return form(context, command, context.form, read.errors)
      return context.once<GatewayCommand>(
        (keep) =>
          'certificate' in read
            ? admin.commands.sendCertificate(principal, gateway, { ...read.certificate, signal }, keep)
            : admin.commands.sendCommand(principal, gateway, read.command, keep),
        {
          to: ({ id }) => `${pathOf(gateway)}/commands/${id}`,
          refused: (errors) => form(context, command, context.form, errors),
        },
      )
    })
  }

  async function form(context: PageContext, command: CommandForm, values: Fields, errors: Fields) {
    const t = texts[context.language]
    const { gateway } = await admin.gateways.showGateway(context.principal, context.params.name ?? '')
    const choices = command.name === 'certificate' ? await office.fleet.choices(context.principal) : []
    return context.show('gateways/command-form', {
      title: `${gateway.name}: ${t.types[command.type]}`,
      t,
      path: pathOf(gateway.name),
      command,
      values,
      errors,
      companies: [
        { value: '', text: t.choose },
        ...choices.map(({ company: { id, name } }) => ({ value: id, text: name })),
      ],
    })
  }

  const commandOf = async (context: PageContext) => {
    const t = texts[context.language]
    const { name = '', id = '' } = context.params
    const found = await admin.commands.findCommand(context.principal, name, id)
    const command = viewOfCommand(found, name, await namesOf(admin, context, t), t, context.language)
    const standing = await admin.commands.commandsWith(context.principal, [id])
    return {
      title: `${name}: ${command.type}`,
      t,
      command,
      standing: viewOfStandings(standing, context, command.path),
      back: pathOf(name),
    }
  }

  pages.get('/commands', async (context) => {
    const { principal, query, isFragment } = context
    const found = await admin.commands.commandsWith(principal, readIds(query.of))
    const standing = viewOfStandings(found, context, ownPath(query.back))
    const view = { title: standing.t.title, t: standing.t, standing }
    return isFragment ? context.fragment('partials/standing-commands', view) : context.show('gateways/standing', view)
  })

  pages.get('/gateways/:name/commands/:id', async (context) =>
    context.show('gateways/command', await commandOf(context)),
  )
  pages.get('/gateways/:name/commands/:id/now', async (context) =>
    context.fragment('gateways/command-status', await commandOf(context)),
  )

  pages.get('/gateways/:name/commands/:id/file', OPERATOR, async (context) => {
    const { name = '', id = '' } = context.params
    const { name: file, content } = await admin.commands.findAttachment(context.principal, name, id)
    const safe = file.replace(/[^\w.-]/g, '_').slice(0, 150)
    context.reply.header('content-disposition', `attachment; filename="${safe}"`)
    return context.reply.type('application/octet-stream').send(content)
  })
}

/** The commands that the page of a gateway offers; commands about one device are on the page of the device. */
const COMMAND_FORMS = [
  { name: 'doctor', type: 'doctor', role: 'operator' },
  { name: 'support_bundle', type: 'support_bundle', role: 'operator' },
  { name: 'retry', type: 'invoice.retry', role: 'operator' },
  { name: 'copy', type: 'receipt.copy', role: 'operator' },
  { name: 'certificate', type: 'certificate.add', role: 'admin' },
  { name: 'key', type: 'api_key.revoke', role: 'admin' },
] as const satisfies readonly { name: string; type: CommandType; role: Role }[]
type CommandForm = (typeof COMMAND_FORMS)[number]

type Wanted = { command: { type: string; body: JsonObject } } | { certificate: CertificateToSend } | { errors: Fields }

/** What the form of a command says, or what is wrong with it, by field. */
function readCommand({ name, type }: CommandForm, { form, files }: PageContext, t: GatewayTexts): Wanted {
  const given = (field: string) => (form[field] ?? '').trim()
  if (name === 'doctor' || name === 'support_bundle') return { command: { type, body: {} } }
  if (name === 'retry' || name === 'copy') {
    const invoice_id = given('invoice_id')
    if (!INVOICE_ID.test(invoice_id)) return { errors: { invoice_id: t.wrongInvoice } }
    return { command: { type, body: { invoice_id } } }
  }
  if (name === 'key') {
    const id = given('id').toLowerCase()
    return UUID.test(id) ? { command: { type, body: { id } } } : { errors: { id: t.wrongKey } }
  }
  const { file } = files
  const companyId = given('company_id')
  const errors = {
    ...(!UUID.test(companyId) && { company_id: t.wrongCompany }),
    ...((file === undefined || file.bytes.length === 0) && { file: t.fileMissing }),
  }
  if (file === undefined || Object.keys(errors).length > 0) return { errors }
  return {
    certificate: { companyId, file: file.bytes, passphrase: form.passphrase ?? '', label: given('label') || null },
  }
}

import { resolveConfigured } from '../../domain/sale/config-chain.ts'
import { textOfReason } from '../../domain/texts/reason-texts.ts'
import type { CompanyFile, LiveReadiness } from '../../fiscal/office/fleet.ts'
import { ACTIVE_STATUSES, type Company, type Language, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import { writeExpected } from '../expected-fields.ts'
import {
  ADMIN,
  type DashboardDeps,
  type Fields,
  OPERATOR,
  type PageContext,
  type Pages,
  requireLinks,
} from '../page-routes.ts'
import { certificateRow, onceEach } from './certificate-view.ts'
import { changeCompany, companyOf } from './edit.ts'
import { monthsOf } from './month-end.ts'
import { rolloutsOf } from './rollout.ts'
import { texts } from './texts.ts'

const MODE = ['mode'] as const satisfies (keyof Company)[]
const STATUS = ['status'] as const satisfies (keyof Company)[]

/** The page of a company, as others that end on it show it again. */
export type ShowCompany = (context: PageContext, file: CompanyFile, errors?: Fields) => Promise<unknown>

export function companyPages(pages: Pages, deps: DashboardDeps): ShowCompany {
  const { v1, office, role, now } = deps

  pages.get('/companies/:id', async (context) => show(context, await companyOf(deps, context)))

  pages.post('/companies/:id/mode', ADMIN, async (context) => {
    const { mode } = context.form
    return mode === 'test' || mode === 'live'
      ? change(context, { mode }, MODE)
      : show(context, await companyOf(deps, context))
  })

  pages.post('/companies/:id/status', ADMIN, async (context) => {
    const status = ACTIVE_STATUSES.find((one) => one === context.form.status)
    return status ? change(context, { status }, STATUS) : show(context, await companyOf(deps, context))
  })

  pages.post('/companies/:id/links/withdraw', OPERATOR, async (context) => {
    const { company } = await companyOf(deps, context)
    return context.once<void>(async (keep) => requireLinks(office).withdrawLinks(context.principal, company.id, keep), {
      to: `/dashboard/companies/${company.id}`,
      notice: 'links_withdrawn',
    })
  })

  async function change(
    context: PageContext,
    changes: Partial<Pick<Company, 'mode' | 'status'>>,
    keys: readonly (keyof Company)[],
  ) {
    return changeCompany(deps, context, await companyOf(deps, context), {
      changes,
      keys,
      refused: async (errors) =>
        show(context, await companyOf(deps, context), { form: Object.values(errors)[0] ?? '' }),
    })
  }

  async function show(context: PageContext, file: CompanyFile, errors: Fields = {}) {
    const { language, principal, form } = context
    const t = texts[language]
    const { company, devices, sellers, gateway, inUse } = file
    const certificate = (await v1.companyCertificates([company.id]))(company.id)
    const companyId = company.id
    const own = new Set((await v1.listCertificates(principal, { companyId, ours: true })).map(({ id }) => id))
    const history = onceEach(await v1.listCertificates(principal, { companyId }), own)
    const gatewaysWith = (serial: string) =>
      inUse.filter((one) => one.serial === serial && one.gatewayId !== LOCAL_GATEWAY).length
    const count = (isCounted: (one: (typeof devices)[number]) => boolean) =>
      devices.filter(isCounted).reduce((sum, one) => sum + one.count, 0)
    const ready = company.mode === 'test' ? await office.fleet.liveReadiness(principal, company.id) : null
    const active = count(({ status }) => status === 'active')
    const unfit = count(({ status, isuStatus }) => status === 'active' && isuStatus !== 'assigned')
    const it = {
      title: company.name,
      headline: 'companies/headline',
      shownMode: company.mode,
      t,
      company,
      gateway,
      errors,
      certificate,
      history: history.map((one) => {
        const users = { isHere: own.has(one.id), gateways: gatewaysWith(one.serial) }
        return certificateRow(one, now(), language, users)
      }),
      devices: { active, total: count(() => true) },
      targets: (role === 'server' ? targetsOf(file) : []).map((value) => ({
        value,
        text: value === 'here' ? t.targetHere : t.gateway(value),
        checked: form.target?.split(',').includes(value) ?? true,
      })),
      checks: ready && checksOf(file, ready, { active, unfit }, language),
      mayGoLive: ready?.certificate === null,
      mayChange: context.may('admin') && gateway === null,
      seen: { mode: writeExpected(company, MODE), status: writeExpected(company, STATUS) },
      sellers: sellers.length,
      rollouts: await rolloutsOf(deps, context, file),
      months: await monthsOf(deps, context, company),
      links: office.receiptLinks && { views: await office.receiptLinks.viewsOf(principal, company.id) },
      label: form.label ?? '',
      logoWidth: form.width ?? '',
    }
    return context.show('companies/detail', it)
  }

  return show
}

/** Where a certificate may go: `here`, where it is decided on the company, and gateways that sell for it; none without a choice. */
export function targetsOf({ gateway, sellers }: CompanyFile): string[] {
  const all = [...(gateway === null ? ['here'] : []), ...sellers.map(({ name }) => name)]
  return all.length > 1 || gateway !== null ? all : []
}

interface Check {
  state: 'done' | 'must' | 'should'
  text: string
  to?: string
  link?: string
}

/** What going live asks for, what else it needs to work, and what receipts should have. */
function checksOf(
  { company }: CompanyFile,
  { certificate, liveKeys }: LiveReadiness,
  { active, unfit }: { active: number; unfit: number },
  language: Language,
): Check[] {
  const c = texts[language].checks
  const done = (text: string): Check => ({ state: 'done', text })
  const should = (text: string, to: string, link: string): Check => ({ state: 'should', text, to, link })
  const certificateText =
    certificate === 'certificate_not_trusted'
      ? c.certificateNotLive
      : certificate && textOfReason(certificate, null, language)
  const { street, city } = company.address
  const rate = resolveConfigured('default_vat_rate', [company.fiscalConfig])
  return [
    certificate === null ? done(c.certificateOk) : { state: 'must', text: certificateText ?? '' },
    active === 0
      ? should(c.isuNone, '/dashboard/devices/new', c.toAdd)
      : unfit > 0
        ? should(c.isuMissing(unfit), '/dashboard/devices/isu', c.toIsu)
        : done(c.isuOk),
    liveKeys === 0 ? should(c.keysMissing, '/dashboard/keys', c.toKeys) : done(c.keysOk),
    street && city ? done(c.seatOk) : should(c.seatMissing, `/dashboard/companies/${company.id}/edit`, c.toSeat),
    ...(!company.vatRegistered
      ? []
      : [rate ? done(c.vatOk) : should(c.vatMissing, `/dashboard/companies/${company.id}/settings`, c.toVat)]),
  ]
}

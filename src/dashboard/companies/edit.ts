import { FiskError } from '../../domain/errors.ts'
import { isOib } from '../../domain/oib.ts'
import { isVatRate, VAT_RATES } from '../../domain/sale/vat.ts'
import { nameFault } from '../../domain/texts/name.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company, JsonObject } from '../../fiscal/ports/model.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import {
  ADMIN,
  ADMIN_OF_ALL,
  type DashboardDeps,
  type PageContext,
  type Pages,
  type ShowAgain,
} from '../page-routes.ts'
import { texts } from './texts.ts'

const KEYS = ['name', 'vatRegistered', 'address'] as const satisfies (keyof Company)[]

export function editCompanyPages(pages: Pages, deps: DashboardDeps): void {
  pages.get('/companies/new', ADMIN_OF_ALL, (context) => showNew(context, { vat: 'yes', rate: '25.00', country: 'HR' }))
  pages.get('/companies/:id/edit', ADMIN, async (context) => showEdit(context, await companyOf(deps, context)))

  pages.post('/companies/new', ADMIN_OF_ALL, async (context) => {
    const t = texts[context.language]
    const { company, errors } = readCompany(context.form, {}, t)
    // Without the spaces that people put between the digits.
    const oib = (context.form.oib ?? '').replace(/\s/g, '')
    if (!isOib(oib)) errors.oib = textOfError(new FiskError('hr.invalid_oib', 'the OIB is wrong'), context.language)
    const rate = context.form.rate ?? ''
    const hasRate = isVatRate(rate)
    if (hasRate && !company.vatRegistered) errors.rate = t.rateWithoutVat
    if (Object.keys(errors).length > 0) return showNew(context, context.form, errors)
    const fiscalConfig = { ...(hasRate && { default_vat_rate: rate }), default_vat_base: 'taxable' }
    const wanted = { ...company, oib, fiscalConfig, mode: 'test' as const }
    return context.once<Company>((keep) => deps.v1.addCompany(context.principal, wanted, keep), {
      to: ({ id }) => `/dashboard/companies/${id}`,
      notice: 'company_added',
      refused: (errors) => showNew(context, context.form, errors),
    })
  })

  pages.post('/companies/:id/edit', ADMIN, async (context) => {
    const file = await companyOf(deps, context)
    const { company, errors } = readCompany(context.form, file.company.address, texts[context.language])
    if (Object.keys(errors).length > 0) return showEdit(context, file, errors)
    return changeCompany(deps, context, file, {
      changes: company,
      keys: KEYS,
      refused: async (errors, error) =>
        showEdit(context, await companyOf(deps, context), errors, isChangedMeanwhile(error)),
    })
  })

  function showNew(context: PageContext, values: Record<string, string>, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const rates = [{ value: '', text: t.noRate }, ...VAT_RATES.map((value) => ({ value, text: `${Number(value)} %` }))]
    return context.show('companies/edit', { title: t.newTitle, t, values, errors, rates })
  }

  function showEdit(context: PageContext, file: CompanyFile, errors: Record<string, string> = {}, isMeanwhile = false) {
    const t = texts[context.language]
    const { company } = file
    const isSent = context.request.method === 'POST'
    const it = {
      title: t.editTitle(company.name),
      t,
      company,
      errors,
      isMeanwhile,
      values: isSent ? context.form : valuesOf(company),
      meanwhile: isMeanwhile ? meanwhileOf(company, context.form.seen, t) : {},
      seen: writeExpected(company, KEYS),
    }
    return context.show('companies/edit', it)
  }
}

/** By field of the form: what stands there now and did not when the form was opened. */
function meanwhileOf(company: Company, seen: string | undefined, t: (typeof texts)['hr']): Record<string, string> {
  let before: Record<string, string>
  try {
    const row = readExpected<Company, (typeof KEYS)[number]>(seen, KEYS)
    if (changedSince(company, row).length === 0) return {}
    before = valuesOf(row as Company)
  } catch {
    before = {}
  }
  const now = valuesOf(company)
  const changed = ['name', 'vat', ...SEAT.map(([field]) => field)].filter((field) => before[field] !== now[field])
  const said = (field: string) => (field === 'vat' ? (now.vat === 'yes' ? t.yes : t.no) : now[field] || t.empty)
  return Object.fromEntries(changed.map((field) => [field, t.meanwhileField(said(field))]))
}

/** The parts of an address: their names in the form and in the stored address. */
const SEAT = [
  ['street', 'street'],
  ['postal', 'postal_code'],
  ['city', 'city'],
  ['country', 'country'],
] as const

const isShort = (text: string, most: number) => [...text].length <= most && isXmlText(text)

function readCompany(form: Record<string, string>, before: JsonObject, t: (typeof texts)['hr']) {
  const name = form.name?.trim() ?? ''
  const errors: Record<string, string> = {}
  if (name === '') errors.name = t.nameMissing
  else if (!isShort(name, DASHBOARD_BOUNDS.companyName.most) || nameFault(name)) errors.name = t.nameWrong
  const address: Record<string, unknown> = { ...before }
  for (const [field, member] of SEAT) {
    const text = form[field]?.trim() ?? ''
    if (!isShort(text, DASHBOARD_BOUNDS.seat.most)) errors[field] = t.seatWrong
    if (text === '') delete address[member]
    else address[member] = text
  }
  return { company: { name, vatRegistered: form.vat === 'yes', address: address as JsonObject }, errors }
}

function valuesOf({ name, vatRegistered, address }: Pick<Company, 'name' | 'vatRegistered' | 'address'>) {
  const seat = SEAT.map(([field, member]) => [field, textOf(address[member])] as const)
  return { name, vat: vatRegistered ? 'yes' : '', ...Object.fromEntries(seat) } as Record<string, string>
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The company of the address. @throws FiskError 404 */
export function companyOf({ office }: DashboardDeps, context: PageContext): Promise<CompanyFile> {
  return office.fleet.findCompany(context.principal, context.params.id ?? '')
}

interface Change {
  changes: Parameters<DashboardDeps['v1']['changeCompany']>[2]
  keys: readonly (keyof Company)[]
  refused: ShowAgain
}

export function changeCompany(
  { v1 }: DashboardDeps,
  { once, principal, form }: PageContext,
  { company: { id } }: CompanyFile,
  { changes, keys, refused }: Change,
): Promise<unknown> {
  return once<Company>(async (keep) => v1.changeCompany(principal, id, changes, keep, readExpected(form.seen, keys)), {
    to: `/dashboard/companies/${id}`,
    notice: 'saved',
    refused,
  })
}

import { FiskError } from '../../domain/errors.ts'
import { isVatRate, VAT_RATES } from '../../domain/sale/vat.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { readCompany, readOib, SEAT, valuesOf } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
const KEYS = ['name', 'vatRegistered', 'address'] as const satisfies (keyof Company)[]

/** A new company, and what stands about one. */
export function editCompanyPages(pages: Pages, { v1, office }: Pick<DashboardDeps, 'v1' | 'office'>): void {
  pages.get('/companies/new', (context) => showNew(context, { vat: 'yes', rate: '25.00', country: 'HR' }), ADMIN)

  pages.post(
    '/companies/new',
    async (context) => {
      const t = texts[context.language]
      const { company, errors } = readCompany(context.form, {}, t)
      const { oib, isRight } = readOib(context.form.oib)
      if (!isRight) errors.oib = textOfError(new FiskError('hr.invalid_oib', 'the OIB is wrong'), context.language)
      if (Object.keys(errors).length > 0) return showNew(context, context.form, errors)
      const rate = context.form.rate ?? ''
      const fiscalConfig = company.vatRegistered && isVatRate(rate) ? { default_vat_rate: rate } : {}
      const wanted = { ...company, oib, fiscalConfig, mode: 'test' as const }
      try {
        const to = ({ id }: Company) => `/dashboard/companies/${id}`
        return await context.once((keep) => v1.addCompany(context.principal, wanted, keep), to, 'company_added')
      } catch (error) {
        return showNew(context, context.form, context.errorsOf(error))
      }
    },
    ADMIN,
  )

  pages.get('/companies/:id/edit', async (context) => showEdit(context, await fileOf(context)), ADMIN)

  pages.post(
    '/companies/:id/edit',
    async (context) => {
      const file = await fileOf(context)
      const { company, errors } = readCompany(context.form, file.company.address, texts[context.language])
      if (Object.keys(errors).length > 0) return showEdit(context, file, errors)
      try {
        const seen = readExpected<Company, (typeof KEYS)[number]>(context.form.seen, KEYS)
        const { id } = file.company
        return await context.once(
          (keep) => v1.changeCompany(context.principal, id, company, keep, seen),
          `/dashboard/companies/${id}`,
          'saved',
        )
      } catch (error) {
        return showEdit(context, await fileOf(context), context.errorsOf(error), isChangedMeanwhile(error))
      }
    },
    ADMIN,
  )

  const fileOf = (context: PageContext) => office.fleet.findCompany(context.principal, context.params.id ?? '')

  function showNew(context: PageContext, values: Record<string, string>, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const rates = [{ value: '', text: t.noRate }, ...VAT_RATES.map((value) => ({ value, text: `${Number(value)} %` }))]
    return context.show('companies/new', { title: t.newTitle, t, values, errors, rates }, statusOf(errors))
  }

  function showEdit(context: PageContext, file: CompanyFile, errors: Record<string, string> = {}, isMeanwhile = false) {
    const t = texts[context.language]
    const { company } = file
    const isSent = context.request.method === 'POST'
    const it = {
      ...{ title: t.editTitle(company.name), t, company, errors, isMeanwhile },
      values: isSent ? context.form : valuesOf(company),
      meanwhile: isMeanwhile ? meanwhileOf(company, context.form.seen, t) : {},
      seen: writeExpected(company, KEYS),
    }
    return context.show('companies/edit', it, statusOf(errors))
  }
}

const statusOf = (errors: object) => (Object.keys(errors).length > 0 ? 422 : 200)

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

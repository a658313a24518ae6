import { FiskError } from '../../domain/errors.ts'
import { isVatRate, VAT_RATES } from '../../domain/sale/vat.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { changeCompany, companyOf } from './change.ts'
import { readCompany, readOib, SEAT, valuesOf } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
const KEYS = ['name', 'vatRegistered', 'address'] as const satisfies (keyof Company)[]

/** A new company, and what stands about one. */
export function editCompanyPages(pages: Pages, deps: Pick<DashboardDeps, 'v1' | 'office'>): void {
  const fileOf = (context: PageContext) => companyOf(deps, context)

  pages.get('/companies/new', (context) => showNew(context, { vat: 'yes', rate: '25.00', country: 'HR' }), {
    ...ADMIN,
    allCompanies: true,
  })
  pages.get('/companies/:id/edit', async (context) => showEdit(context, await fileOf(context)), ADMIN)

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
      return context.once<Company>((keep) => deps.v1.addCompany(context.principal, wanted, keep), {
        to: ({ id }) => `/dashboard/companies/${id}`,
        notice: 'company_added',
        refused: (errors) => showNew(context, context.form, errors),
      })
    },
    { ...ADMIN, allCompanies: true },
  )

  pages.post(
    '/companies/:id/edit',
    async (context) => {
      const file = await fileOf(context)
      const { company, errors } = readCompany(context.form, file.company.address, texts[context.language])
      if (Object.keys(errors).length > 0) return showEdit(context, file, errors)
      return changeCompany(deps, context, file, {
        changes: company,
        keys: KEYS,
        refused: async (errors, error) => showEdit(context, await fileOf(context), errors, isChangedMeanwhile(error)),
      })
    },
    ADMIN,
  )

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
      title: t.editTitle(company.name),
      t,
      company,
      errors,
      isMeanwhile,
      values: isSent ? context.form : valuesOf(company),
      meanwhile: isMeanwhile ? meanwhileOf(company, context.form.seen, t) : {},
      seen: writeExpected(company, KEYS),
    }
    return context.show('companies/edit', it, statusOf(errors))
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

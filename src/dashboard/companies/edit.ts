import { FiskError } from '../../domain/errors.ts'
import { isVatRate, VAT_RATES } from '../../domain/sale/vat.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readSeen, writeSeen } from '../expected-fields.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { readCompany, readOib, SEAT, valuesOf } from './form.ts'
import { texts } from './texts.ts'

const ADMIN = { role: 'admin' } as const
const KEYS = ['name', 'vatRegistered', 'address'] as const satisfies (keyof Company)[]

/** A new company, and what stands about one. */
export function editCompanyPages(pages: Pages, { v1, office }: Pick<DashboardDeps, 'v1' | 'office'>): void {
  pages.get('/companies/new', (visit) => showNew(visit, { vat: 'yes', rate: '25.00', country: 'HR' }), ADMIN)

  pages.post(
    '/companies/new',
    async (visit) => {
      const t = texts[visit.language]
      const { company, errors } = readCompany(visit.form, {}, t)
      const { oib, isRight } = readOib(visit.form.oib)
      if (!isRight) errors.oib = textOfError(new FiskError('hr.invalid_oib', 'the OIB is wrong'), visit.language)
      if (Object.keys(errors).length > 0) return showNew(visit, visit.form, errors)
      const rate = visit.form.rate ?? ''
      const fiscalConfig = company.vatRegistered && isVatRate(rate) ? { default_vat_rate: rate } : {}
      const wanted = { ...company, oib, fiscalConfig, mode: 'test' as const }
      try {
        const to = ({ id }: Company) => `/dashboard/companies/${id}`
        return await visit.once((keep) => v1.addCompany(visit.principal, wanted, keep), to, 'company_added')
      } catch (error) {
        return showNew(visit, visit.form, visit.errorsOf(error))
      }
    },
    ADMIN,
  )

  pages.get('/companies/:id/edit', async (visit) => showEdit(visit, await fileOf(visit)), ADMIN)

  pages.post(
    '/companies/:id/edit',
    async (visit) => {
      const file = await fileOf(visit)
      const { company, errors } = readCompany(visit.form, file.company.address, texts[visit.language])
      if (Object.keys(errors).length > 0) return showEdit(visit, file, errors)
      try {
        const seen = readSeen<Company, (typeof KEYS)[number]>(visit.form.seen, KEYS)
        const { id } = file.company
        return await visit.once(
          (keep) => v1.changeCompany(visit.principal, id, company, keep, seen),
          `/dashboard/companies/${id}`,
          'saved',
        )
      } catch (error) {
        return showEdit(visit, await fileOf(visit), visit.errorsOf(error), isChangedMeanwhile(error))
      }
    },
    ADMIN,
  )

  const fileOf = (visit: Visit) => office.fleet.findCompany(visit.principal, visit.params.id ?? '')

  function showNew(visit: Visit, values: Record<string, string>, errors: Record<string, string> = {}) {
    const t = texts[visit.language]
    const rates = [{ value: '', text: t.noRate }, ...VAT_RATES.map((value) => ({ value, text: `${Number(value)} %` }))]
    return visit.show('companies/new', { title: t.newTitle, t, values, errors, rates }, statusOf(errors))
  }

  function showEdit(visit: Visit, file: CompanyFile, errors: Record<string, string> = {}, isMeanwhile = false) {
    const t = texts[visit.language]
    const { company } = file
    const isSent = visit.request.method === 'POST'
    const it = {
      ...{ title: t.editTitle(company.name), t, company, errors, isMeanwhile },
      values: isSent ? visit.form : valuesOf(company),
      meanwhile: isMeanwhile ? meanwhileOf(company, visit.form.seen, t) : {},
      seen: writeSeen(company, KEYS),
    }
    return visit.show('companies/edit', it, statusOf(errors))
  }
}

const statusOf = (errors: object) => (Object.keys(errors).length > 0 ? 422 : 200)

/** By field of the form: what stands there now and did not when the form was opened. */
function meanwhileOf(company: Company, seen: string | undefined, t: (typeof texts)['hr']): Record<string, string> {
  let before: Record<string, string>
  try {
    const row = readSeen<Company, (typeof KEYS)[number]>(seen, KEYS)
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

import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { allInOne } from '../devices/settings.ts'
import { isChangedMeanwhile, readSeen, writeSeen } from '../expected-fields.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { editorOf, type Sent } from '../settings/editor.ts'
import { readSettings } from '../settings/read-form.ts'
import { texts } from './texts.ts'

const KEYS = ['fiscalConfig'] as const satisfies (keyof Company)[]

/** The configuration of a company, which holds for every device of it that has none of its own. */
export function companySettingsPages(pages: Pages, { v1, office }: Pick<DashboardDeps, 'v1' | 'office'>): void {
  const fileOf = (visit: Visit) => office.fleet.findCompany(visit.principal, visit.params.id ?? '')

  pages.get('/companies/:id/settings', async (visit) => show(visit, await fileOf(visit)))

  pages.post(
    '/companies/:id/settings',
    async (visit) => {
      const file = await fileOf(visit)
      const { form } = visit
      const { id, fiscalConfig } = file.company
      const read = readSettings(form, fiscalConfig)
      if ('faults' in read) return show(visit, file, { form, faults: read.faults }, {})
      try {
        const seen = readSeen<Company, 'fiscalConfig'>(form.seen, KEYS)
        return await visit.once(
          (keep) => v1.changeCompany(visit.principal, id, { fiscalConfig: read.config }, keep, seen),
          `/dashboard/companies/${id}`,
          'saved',
        )
      } catch (error) {
        const sent = { form, ...(isChangedMeanwhile(error) && { seen: seenOf(form.seen) }) }
        return show(visit, await fileOf(visit), sent, visit.errorsOf(error))
      }
    },
    { role: 'admin' },
  )

  async function show(visit: Visit, { company, gateway }: CompanyFile, sent?: Sent, errors?: Record<string, string>) {
    const t = texts[visit.language]
    const path = `/dashboard/companies/${company.id}`
    const it = {
      ...editorOf({ own: company.fiscalConfig, above: null }, visit.language, sent),
      ...{ title: t.settingsTitle(company.name), t, errors: allInOne(errors), action: `${path}/settings`, back: path },
      mayChange: visit.may('admin') && gateway === null,
      whyNot: gateway === null ? t.adminOnly : t.byGateway(gateway),
      note: null,
      seen: sent?.faults ? (sent.form.seen ?? '') : writeSeen(company, KEYS),
    }
    return visit.show('settings/editor', it, sent ? 422 : 200)
  }
}

function seenOf(text: string | undefined): Company['fiscalConfig'] {
  try {
    return readSeen<Company, 'fiscalConfig'>(text, KEYS).fiscalConfig ?? {}
  } catch {
    return {}
  }
}

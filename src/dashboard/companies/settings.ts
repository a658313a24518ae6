import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { allInOne } from '../devices/settings.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { editorOf, type Sent } from '../settings/editor.ts'
import { readSettings } from '../settings/read-form.ts'
import { texts } from './texts.ts'

const KEYS = ['fiscalConfig'] as const satisfies (keyof Company)[]

/** The configuration of a company, which holds for every device of it that has none of its own. */
export function companySettingsPages(pages: Pages, { v1, office }: Pick<DashboardDeps, 'v1' | 'office'>): void {
  const fileOf = (context: PageContext) => office.fleet.findCompany(context.principal, context.params.id ?? '')

  pages.get('/companies/:id/settings', async (context) => show(context, await fileOf(context)))

  pages.post(
    '/companies/:id/settings',
    async (context) => {
      const file = await fileOf(context)
      const { form } = context
      const { id, fiscalConfig } = file.company
      const read = readSettings(form, fiscalConfig)
      if ('faults' in read) return show(context, file, { form, faults: read.faults }, {})
      try {
        const seen = readExpected<Company, 'fiscalConfig'>(form.seen, KEYS)
        return await context.once(
          (keep) => v1.changeCompany(context.principal, id, { fiscalConfig: read.config }, keep, seen),
          `/dashboard/companies/${id}`,
          'saved',
        )
      } catch (error) {
        const sent = { form, ...(isChangedMeanwhile(error) && { seen: seenOf(form.seen) }) }
        return show(context, await fileOf(context), sent, context.errorsOf(error))
      }
    },
    { role: 'admin' },
  )

  async function show(
    context: PageContext,
    { company, gateway }: CompanyFile,
    sent?: Sent,
    errors?: Record<string, string>,
  ) {
    const t = texts[context.language]
    const path = `/dashboard/companies/${company.id}`
    const it = {
      ...editorOf({ own: company.fiscalConfig, above: null }, context.language, sent),
      ...{ title: t.settingsTitle(company.name), t, errors: allInOne(errors), action: `${path}/settings`, back: path },
      mayChange: context.may('admin') && gateway === null,
      whyNot: gateway === null ? t.adminOnly : t.byGateway(gateway),
      note: null,
      seen: sent?.faults ? (sent.form.seen ?? '') : writeExpected(company, KEYS),
    }
    return context.show('settings/editor', it, sent ? 422 : 200)
  }
}

function seenOf(text: string | undefined): Company['fiscalConfig'] {
  try {
    return readExpected<Company, 'fiscalConfig'>(text, KEYS).fiscalConfig ?? {}
  } catch {
    return {}
  }
}

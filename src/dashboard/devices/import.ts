import { FiskError } from '../../domain/errors.ts'
import { sharedPremisesText } from '../../domain/premises/shared-premises.ts'
import { readDeviceCsv } from '../../fiscal/registry/device-csv.ts'
import type { ImportReport, RowError } from '../../fiscal/registry/device-import.ts'
import { deviceFaults, type TypedDevice } from '../../fiscal/registry/device-rules.ts'
import { addressOf } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { textOfError } from '../error-texts.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { fromBase64, packWrong, SAMPLE, unpackWrong } from './import-file.ts'
import { texts } from './texts.ts'

/** The preview shows at most this many right rows, and all wrong ones. */
const MOST_SHOWN = 200

/**
 * Many devices at once: a preview of the file comes before its import. Between the two steps the file travels in a hidden
 * field of the page, so that the server keeps nothing of it, and the import checks it anew.
 */
export function importPages(pages: Pages, { v1, office }: DashboardDeps): void {
  pages.get('/devices/import', OPERATOR, (context) => choose(context))

  pages.get('/devices/import/sample.csv', async ({ reply }) => {
    reply.header('content-disposition', 'attachment; filename="uredaji.csv"')
    return reply.type('text/csv; charset=utf-8').send(SAMPLE)
  })

  pages.post(
    '/devices/import/preview',
    { ...OPERATOR, fileBytes: DASHBOARD_BOUNDS.importFileRead.most },
    async (context) => {
      const t = texts[context.language].import
      const file = context.files.file?.bytes
      if (!file || file.length === 0) return choose(context, { file: t.fileMissing })
      if (file.length > DASHBOARD_BOUNDS.importFile.most) return choose(context, { file: t.fileLarge })
      return preview(context, file)
    },
  )

  pages.post('/devices/import', OPERATOR, async (context) => {
    const file = fromBase64(context.form.file ?? '')
    if (!file || file.length > DASHBOARD_BOUNDS.importFile.most)
      return choose(context, { file: texts[context.language].import.lost })
    const companyId = context.form.company ?? ''
    return context.once<ImportReport>(
      async (keep) => v1.importDevices(context.principal, { companyId, ...(await read(file)), dryRun: false }, keep),
      { to: doneAt, refused: (errors) => choose(context, byField(errors)) },
    )
  })

  pages.get('/devices/import/done', async (context) => {
    const t = texts[context.language]
    const { created, changed, unchanged, wrong = '' } = context.query
    const count = (text: string | undefined) => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 0)
    const rows = unpackWrong(wrong).map(({ line, field, refusal }) => ({
      line,
      field: field || t.import.wholeRow,
      text: textOfError(refusal, context.language),
    }))
    const text = t.import.done(count(created), count(changed), count(unchanged))
    return context.show('devices/imported', { title: t.import.doneTitle, t, text, rows })
  })

  async function choose(context: PageContext, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const companies = await ours(context)
    const company = context.form.company ?? context.query.company
    const hasCompanies = companies.length > 0 || (await office.fleet.choices(context.principal)).length > 0
    const it = { title: t.import.title, t, errors, companies, company, hasCompanies }
    return context.show('devices/import', it)
  }

  async function preview(context: PageContext, file: Buffer) {
    const t = texts[context.language]
    const companyId = context.form.company ?? ''
    const companies = await ours(context)
    const company = companies.find(({ value }) => value === companyId)
    if (!company) return choose(context, { company: t.chooseCompany })
    let report: ImportReport
    try {
      report = await v1.importDevices(
        context.principal,
        { companyId, ...(await read(file)), dryRun: true },
        async () => {},
      )
    } catch (error) {
      return choose(context, byField(context.errorsOf(error)))
    }
    const right = report.rows.length
    const shown = [...report.rows].sort((a, b) => RANKS[a.outcome] - RANKS[b.outcome]).slice(0, MOST_SHOWN)
    const { created, changed, unchanged } = countsOf(report)
    return context.show('devices/preview', {
      title: t.import.previewTitle,
      t,
      company,
      right,
      shown,
      more: right - shown.length,
      sum: t.import.sum(report.processed, created, changed, unchanged, report.failed),
      toDo: created + changed,
      ignored: report.ignored.join(', '),
      shared: report.shared.map((one) => sharedPremisesText(one)[context.language]),
      wrong: report.errors.map((row) => ({ ...row, text: textOfRow(row, context) })),
      file: file.toString('base64url'),
    })
  }

  async function ours(context: PageContext) {
    const all = await office.fleet.choices(context.principal)
    return all
      .filter(({ gateway }) => gateway === null)
      .map(({ company: { id, name, oib } }) => ({ value: id, text: `${name} (${oib})` }))
  }
}

const RANKS = { created: 0, changed: 1, unchanged: 2 } as const

const read = (file: Buffer) => readDeviceCsv(file, (row) => deviceFaults(row as TypedDevice)[0])

function countsOf({ rows }: ImportReport) {
  const count = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length
  return { created: count('created'), changed: count('changed'), unchanged: count('unchanged') }
}

/** What the next page says comes along in its address. */
function doneAt(report: ImportReport): string {
  const { created, changed, unchanged } = countsOf(report)
  const counts = { created: String(created), changed: String(changed), unchanged: String(unchanged) }
  return addressOf('/dashboard/devices/import/done', { ...counts, wrong: packWrong(report.errors) })
}

function textOfRow({ code, message, param, reason, about: name }: RowError, { language }: PageContext): string {
  const about = { ...(param && { param }), ...(reason && { reason }), ...(name !== null && { about: name }) }
  return textOfError(new FiskError(code, message, about), language)
}

/** Refusals of the company and of the file, by the fields of the form. */
const byField = ({ company_id, file, ...others }: Record<string, string>) => ({
  ...(company_id && { company: company_id }),
  ...(file && { file }),
  ...others,
})

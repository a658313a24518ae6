import { ERRORS, type ErrorCode, FiskError, type Reason } from '../../domain/errors.ts'
import { sharedPremisesText } from '../../domain/premises/shared-premises.ts'
import { REASON_TEXTS } from '../../domain/texts/reason-texts.ts'
import { readDeviceCsv } from '../../fiscal/registry/device-csv.ts'
import type { ImportReport, RowError } from '../../fiscal/registry/device-import.ts'
import { deviceFaults, type TypedDevice } from '../../fiscal/registry/device-rules.ts'
import { addressOf } from '../addresses.ts'
import { companyOption } from '../company-choices.ts'
import { textOfError } from '../error-texts.ts'
import { fileSteps } from '../file-steps.ts'
import type { DashboardDeps, Fields, PageContext, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

/** The preview shows at most this many right rows, and all wrong ones. */
const MOST_SHOWN = 200

const SAMPLE = [
  'label;premises_code;isu_number;device_config',
  'Kavomat predvorje;POSL1;123456789;',
  'Kavomat hodnik;POSL1;;',
  'Grickalice ulaz;POSL2;987654321;"{""payment_method"":""K""}"',
  '',
].join('\r\n')

export function importPages(pages: Pages, { v1, office }: DashboardDeps): void {
  const sample = { name: 'uredaji', text: SAMPLE }
  fileSteps(pages, { path: '/devices/import', sample, choose, preview, work })

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

  /** @param refused of the company and of the file by the names of the interface, or by the fields of the form */
  async function choose(context: PageContext, { company_id, ...refused }: Fields = {}) {
    const errors = { ...(company_id && { company: company_id }), ...refused }
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
    const wanted = { companyId, ...(await read(file)), dryRun: true }
    const report = await v1.importDevices(context.principal, wanted, async () => {})
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

  async function work(context: PageContext, file: Buffer) {
    const companyId = context.form.company ?? ''
    return context.once<ImportReport>(
      async (keep) => v1.importDevices(context.principal, { companyId, ...(await read(file)), dryRun: false }, keep),
      { to: doneAt, refused: (errors) => choose(context, errors) },
    )
  }

  async function ours(context: PageContext) {
    const all = await office.fleet.choices(context.principal)
    return all.filter(({ gateway }) => gateway === null).map(({ company }) => companyOption(company))
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

/** The page that follows names at most this many refused rows; the preview has shown all of them. */
const MOST_PACKED = 50

export function packWrong(errors: readonly RowError[]): string {
  const some = errors.slice(0, MOST_PACKED)
  return some
    .map(({ row, param, reason, code }) => [row, param?.split('.')[0] ?? '', reason ?? code].join('.'))
    .join(',')
}

/** Reads the address of the page, which a user may have changed: malformed parts are left out. */
export function unpackWrong(text: string) {
  return text.split(',').flatMap((part) => {
    const [, line, field = '', why = ''] = /^(\d{1,5})\.([a-z_]{0,20})\.([a-z_.]{0,60})$/.exec(part) ?? []
    if (line === undefined) return []
    const code = Object.hasOwn(ERRORS, why) ? (why as ErrorCode) : 'invalid_request'
    const reason = Object.hasOwn(REASON_TEXTS.hr, why) ? { reason: why as Reason } : {}
    return [{ line: Number(line), field, refusal: new FiskError(code, ERRORS[code].means, reason) }]
  })
}

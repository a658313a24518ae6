import { dateAt, daysFrom, isoDate, monthsFrom, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { fileNamePart } from '../../domain/texts/file-name.ts'
import type { Grouping } from '../../fiscal/office/exported.ts'
import type { Table } from '../../reports/tables/cells.ts'
import { salesChoices } from '../company-choices.ts'
import { chosenId } from '../ids.ts'
import type { DashboardDeps, Fields, PageContext, Pages } from '../page-routes.ts'
import { createFileGiving, csvFile, type GivenFile, xlsxFile } from './give-file.ts'
import { invoiceTable } from './invoice-table.ts'
import { listFiles } from './lists/routes.ts'
import { type Texts, texts } from './texts.ts'
import { partsTable, totalsTable } from './turnover-tables.ts'

/** What a file has: its sums come from totals that are kept, and its rows from the invoices. */
const WHATS = ['turnover', 'tax', 'invoices'] as const
const FORMATS = ['xlsx', 'csv'] as const
const GROUPINGS: Record<keyof Texts['groupings'], Grouping> = {
  day: { period: 'day', per: 'premises' },
  month: { period: 'month', per: 'premises' },
  company_day: { period: 'day', per: 'company' },
  company_month: { period: 'month', per: 'company' },
}

/** Invoices and totals of a period, as files. */
export function exportPages(pages: Pages, deps: DashboardDeps): void {
  const { v1, office, now } = deps
  const { exports } = office
  const { give, making } = createFileGiving(office.noteDownload)
  listFiles(pages, deps, give)

  pages.get('/export', async (context) => page(context, await chosenBy(context)))

  pages.get('/export/file', async (context) => {
    const chosen = await chosenBy(context)
    if (Object.keys(chosen.choice.errors).length > 0) return page(context, chosen, 422)
    return give(context, async (one) => {
      const { values, wanted } = chosen.choice
      if (values.what === 'invoices') one.total = await exports.count(context.principal, wanted)
      return fileOf(context, chosen, (invoices) => {
        one.written += invoices
      })
    })
  })

  pages.get('/export/progress', async (context) => context.fragment('export/progress', progressOf(context)))

  const progressOf = ({ principal, language }: PageContext) => ({
    t: texts[language],
    making: [...making].filter(({ userId, total }) => userId === principal.id && total !== null),
  })

  async function chosenBy({ principal, query, language, company }: PageContext) {
    const choices = await salesChoices(v1, principal, query.device)
    const asked = company ? { ...query, company: company.id } : query
    return { choices, choice: readChoice(asked, texts[language], now(), choices.mode) }
  }

  /** @param written is told how many more invoices were written */
  function fileOf(
    context: PageContext,
    { choice, choices }: Awaited<ReturnType<typeof chosenBy>>,
    written: (invoices: number) => void,
  ): GivenFile | Promise<GivenFile> {
    const { principal, language, f } = context
    const { wanted, first, last, values } = choice
    const { what } = values
    const t = texts[language]
    const grouping = GROUPINGS[values.by]
    const company = choices.companies.find(({ value }) => value === wanted.companyId)
    const name = [
      t.files[what],
      ...(what === 'invoices' ? [] : [t.files[grouping.period]]),
      ...(company ? [fileNamePart(company.name)] : []),
      ...(wanted.mode === 'test' ? [t.files.test] : []),
      ...[isoDate(first), isoDate(last)],
    ].join('-')
    const narrowed = [
      company?.text ?? (principal.companyIds ? choices.companies.map(({ text }) => text).join(', ') : t.allCompanies),
      ...(wanted.premisesCode ? [`${t.columns.premises} ${wanted.premisesCode}`] : []),
      ...(values.device ? [choices.devices.find(({ value }) => value === values.device)?.text ?? values.device] : []),
    ]
    const days = `${f.date(startOfDay(first))} – ${f.date(startOfDay(last))}, ${t.modes[wanted.mode]}`
    const about = [
      `${t.whats[what]}, ${t.groupings[values.by]}`,
      narrowed.join('; '),
      days,
      t.madeAt(f.time(now())),
      '',
    ]
    const tables: Record<typeof what, () => Table> = {
      turnover: () => totalsTable(t, grouping, exports.totals(principal, wanted, grouping)),
      tax: () => partsTable(t, grouping, exports.parts(principal, wanted, grouping)),
      invoices: () => invoiceTable(t, counted(exports.invoices(principal, wanted), written)),
    }
    if (values.format === 'csv') return csvFile(tables[what](), name)
    if (what === 'invoices') return xlsxFile([tables.invoices()], name)
    const sheets = what === 'turnover' ? [tables.turnover(), tables.tax()] : [tables.tax()]
    const withHead = sheets.map((table) => ({ ...table, about }))
    return xlsxFile(withHead, name)
  }

  function page(context: PageContext, { choices, choice }: Awaited<ReturnType<typeof chosenBy>>, status = 200) {
    const t = texts[context.language]
    const presets = Object.entries(presetsAt(now())).map(([name, { from, to }]) => ({
      text: t[name as keyof ReturnType<typeof presetsAt>],
      url: `/dashboard/export?${new URLSearchParams({ ...choice.values, from: isoDate(from), to: isoDate(to) })}`,
    }))
    const { values, errors } = choice
    const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, text]) => ({ value, text }))
    const shown = {
      values,
      errors,
      presets,
      choices,
      whats: optionsOf(t.whats),
      groupings: optionsOf(t.groupings),
      formats: optionsOf(t.formats),
      progress: progressOf(context),
    }
    return context.show('export/page', { t, ...shown }, status)
  }
}

async function* counted<T>(slices: AsyncIterable<T[]>, written: (count: number) => void): AsyncGenerator<T[]> {
  for await (const slice of slices) {
    yield slice
    written(slice.length)
  }
}

/** The choice of what is in a file. @param mode when none was chosen */
function readChoice(query: Fields, t: Texts, now: EpochMs, mode: Mode) {
  /** By field; nothing is given away while there are any. */
  const errors: Fields = {}
  const preset = presetsAt(now).thisMonth
  const day = (field: 'from' | 'to') => {
    const text = query[field] ?? ''
    const read = readDate(text)
    if (text !== '' && !read) errors[field] = t.errors.date
    return read ?? preset[field]
  }
  const [first, last] = [day('from'), day('to')]
  const [from, to] = [startOfDay(first), startOfDay({ ...last, date: last.date + 1 })]
  if (from >= to && !errors.to) errors.to = t.errors.order
  const premises = (query.premises ?? '').trim()
  if (premises !== '' && !isPremisesCode(premises)) errors.premises = t.errors.premises
  const { company = '', device = '' } = query
  const chosen = query.mode === 'live' || query.mode === 'test' ? query.mode : mode
  return {
    /** As the form shows it. */
    values: {
      what: WHATS.find((one) => one === query.what) ?? 'turnover',
      by: Object.hasOwn(GROUPINGS, query.by ?? '') ? (query.by as keyof typeof GROUPINGS) : ('month' as const),
      format: FORMATS.find((format) => format === query.format) ?? 'xlsx',
      from: errors.from ? (query.from ?? '') : isoDate(first),
      to: errors.to ? (query.to ?? '') : isoDate(last),
      company,
      device,
      premises,
      mode: chosen,
    },
    first,
    last,
    errors,
    wanted: {
      mode: chosen,
      from,
      to,
      companyId: chosenId(company),
      deviceId: chosenId(device),
      premisesCode: premises || undefined,
    },
  }
}

/** The periods that people ask for, as they lie today. */
function presetsAt(now: EpochMs) {
  const today = dateAt(now)
  const month = { ...today, date: 1 }
  const year = { ...month, month: 1 }
  const until = (from: typeof today, next: typeof today) => ({ from, to: daysFrom(next, -1) })
  return {
    today: { from: today, to: today },
    thisMonth: until(month, monthsFrom(month, 1)),
    lastMonth: until(monthsFrom(month, -1), month),
    thisYear: until(year, monthsFrom(year, 12)),
    lastYear: until(monthsFrom(year, -12), year),
  }
}

import { type CalendarDate, dateAt, isoDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import { notFound } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { type Grouping, PERIODS } from '../../fiscal/office/exported.ts'
import { chosenId } from '../ids.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { createFileGiving, csvFile, type GivenFile, xlsxFile } from './give-file.ts'
import { invoiceTable } from './invoice-table.ts'
import { listFiles } from './lists/routes.ts'
import { type Texts, texts } from './texts.ts'
import { partsTable, totalsTable } from './turnover-tables.ts'

/** The files that there are, by the ends of their addresses. */
const FILES = ['invoices.csv', 'invoices.xlsx', 'turnover.csv', 'tax.csv', 'totals.xlsx'] as const

/** Invoices and totals of a period, as files. */
export function exportPages(pages: Pages, deps: DashboardDeps): void {
  const { v1, office, now } = deps
  const { exports } = office
  const { give, making } = createFileGiving(office.noteDownload)
  listFiles(pages, deps, give)

  pages.get('/export', async (context) => page(context, await chosenBy(context)))

  pages.get('/export/files/:file', async (context) => {
    const file = FILES.find((one) => one === context.params.file)
    if (!file) throw notFound('file', 'there is no such file')
    const chosen = await chosenBy(context)
    if (Object.keys(chosen.choice.errors).length > 0) return page(context, chosen, 422)
    return give(context, async (one) => {
      if (file.startsWith('invoices')) one.total = await exports.count(context.principal, chosen.choice.wanted)
      return fileOf(file, context, chosen.choice, (invoices) => {
        one.written += invoices
      })
    })
  })

  pages.get('/export/progress', async (context) => context.fragment('export/progress', progressOf(context)))

  const progressOf = ({ principal, language }: PageContext) => ({
    t: texts[language],
    making: [...making].filter(({ userId, total }) => userId === principal.id && total !== null),
  })

  async function chosenBy({ principal, query, language }: PageContext) {
    const choices = await salesChoices(v1, principal, query.device)
    return { choices, choice: readChoice(query, texts[language], now(), choices.mode) }
  }

  /** @param written is told how many more invoices were written */
  function fileOf(
    file: (typeof FILES)[number],
    { principal, language, query }: PageContext,
    { wanted, first, last }: Choice,
    written: (invoices: number) => void,
  ): GivenFile | Promise<GivenFile> {
    const t = texts[language]
    const { files } = t
    const period = PERIODS.find((one) => one === query.by) ?? 'day'
    const grouping: Grouping = { period, per: perOf(query) }
    const invoices = () => invoiceTable(t, counted(exports.invoices(principal, wanted), written))
    const totals = () => totalsTable(t, grouping, exports.totals(principal, wanted, grouping))
    const parts = () => partsTable(t, grouping, exports.parts(principal, wanted, grouping))
    const named = (...words: string[]) =>
      [...words, ...(wanted.mode === 'test' ? [files.test] : []), isoDate(first), isoDate(last)].join('-')
    switch (file) {
      case 'invoices.csv':
        return csvFile(invoices(), named(files.invoices))
      case 'invoices.xlsx':
        return xlsxFile([invoices()], named(files.invoices))
      case 'turnover.csv':
        return csvFile(totals(), named(files.totals, files[period]))
      case 'tax.csv':
        return csvFile(parts(), named(files.parts, files[period]))
      case 'totals.xlsx':
        return xlsxFile([totals(), parts()], named(files.both, files[period]))
    }
  }

  function page(context: PageContext, { choices, choice }: Awaited<ReturnType<typeof chosenBy>>, status = 200) {
    const t = texts[context.language]
    const presets = Object.entries(presetsAt(now())).map(([name, { from, to }]) => ({
      text: t[name as keyof ReturnType<typeof presetsAt>],
      url: `/dashboard/export?${new URLSearchParams({ ...choice.values, from: isoDate(from), to: isoDate(to) })}`,
    }))
    const { values, errors } = choice
    const shown = {
      values: { ...values, per: perOf(context.query) },
      errors,
      presets,
      choices,
      progress: progressOf(context),
    }
    return context.show('export/page', { t, ...shown }, status)
  }
}

const perOf = ({ per }: Record<string, string>) => (per === 'company' ? 'company' : 'premises')

async function* counted<T>(slices: AsyncIterable<T[]>, written: (count: number) => void): AsyncGenerator<T[]> {
  for await (const slice of slices) {
    yield slice
    written(slice.length)
  }
}

type Choice = ReturnType<typeof readChoice>

/** The choice of what is in a file. @param mode when none was chosen */
function readChoice(query: Record<string, string>, t: Texts, now: EpochMs, mode: Mode) {
  /** By field; nothing is given away while there are any. */
  const errors: Record<string, string> = {}
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

interface Span {
  from: CalendarDate
  to: CalendarDate
}

/** The periods that people ask for, as they lie today. */
function presetsAt(now: EpochMs): Record<'today' | 'thisMonth' | 'lastMonth' | 'thisYear' | 'lastYear', Span> {
  const today = dateAt(now)
  const { year, month } = today
  const monthOf = (year: number, month: number): Span => ({
    from: dateAt(startOfDay({ year, month, date: 1 })),
    to: dateAt(startOfDay({ year, month: month + 1, date: 0 })),
  })
  const yearOf = (year: number): Span => ({ from: { year, month: 1, date: 1 }, to: { year, month: 12, date: 31 } })
  return {
    today: { from: today, to: today },
    thisMonth: monthOf(year, month),
    lastMonth: monthOf(year, month - 1),
    thisYear: yearOf(year),
    lastYear: yearOf(year - 1),
  }
}

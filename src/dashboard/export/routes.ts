import { isoDate } from '../../domain/calendar-date.ts'
import { notFound } from '../../domain/errors.ts'
import { PERIODS } from '../../fiscal/office/exported.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { presetsAt, readChoice } from './choice.ts'
import { FILES, fileOf } from './files.ts'
import { createFileGiving } from './give-file.ts'
import { listFiles } from './lists/routes.ts'
import { texts } from './texts.ts'

/** Invoices and totals of a period, as files. */
export function exportPages(pages: Pages, deps: Pick<DashboardDeps, 'admin' | 'v1' | 'office' | 'now'>): void {
  const { v1, office, now } = deps
  const { give, making } = createFileGiving(office.noteDownload)
  listFiles(pages, deps, give)

  pages.get('/export', async (context) => page(context, await chosenBy(context)))

  pages.get('/export/files/:file', async (context) => {
    const file = FILES.find((one) => one === context.params.file)
    if (!file) throw notFound('file', 'there is no such file')
    const chosen = await chosenBy(context)
    if (Object.keys(chosen.choice.errors).length > 0) return page(context, chosen, 422)
    const period = PERIODS.find((one) => one === context.query.by) ?? 'day'
    const per = context.query.per === 'company' ? ('company' as const) : ('premises' as const)
    const { exports } = office
    const { principal, language } = context
    return give(context, async (one) => {
      if (file.startsWith('invoices')) one.total = await exports.count(principal, chosen.choice.wanted)
      const written = (invoices: number) => {
        one.written += invoices
      }
      const asking = {
        exports,
        principal,
        grouping: { period, per },
        choice: chosen.choice,
        t: texts[language],
        written,
      }
      return fileOf(file, asking)
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

  function page(context: PageContext, { choices, choice }: Awaited<ReturnType<typeof chosenBy>>, status = 200) {
    const t = texts[context.language]
    const presets = Object.entries(presetsAt(now())).map(([name, { from, to }]) => ({
      text: t[name as keyof ReturnType<typeof presetsAt>],
      url: `/dashboard/export?${new URLSearchParams({ ...choice.values, from: isoDate(from), to: isoDate(to) })}`,
    }))
    const { values, errors } = choice
    const per = context.query.per === 'company' ? 'company' : 'premises'
    const shown = { values: { ...values, per }, errors, presets, choices, progress: progressOf(context) }
    return context.show('export/page', { title: t.title, t, ...shown }, status)
  }
}

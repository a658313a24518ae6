import { isoDate } from '../../domain/calendar-date.ts'
import { FiskError, notFound } from '../../domain/errors.ts'
import { PERIODS } from '../../fiscal/office/export.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { presetsAt, readChoice } from './choice.ts'
import { FILES, fileOf } from './files.ts'
import { texts } from './texts.ts'

/** Each export does a slice of its work in every turn of the event loop, and sales wait for all of them. */
const AT_ONCE = 2

/** A file that is being made for a user. */
interface Making {
  userId: string
  written: number
  /** Of files of invoices, which may take minutes; null for the others. */
  total: number | null
}

/** Invoices and totals of a period, as files. */
export function exportPages(pages: Pages, { v1, office, now }: Pick<DashboardDeps, 'v1' | 'office' | 'now'>): void {
  const making = new Set<Making>()

  pages.get('/export', async (context) => page(context, await chosenBy(context)))

  pages.get('/export/files/:file', async (context) => {
    const file = FILES.find((one) => one === context.params.file)
    if (!file) throw notFound('file', 'there is no such file')
    const chosen = await chosenBy(context)
    if (Object.keys(chosen.choice.errors).length > 0) return page(context, chosen, 422)
    const period = PERIODS.find((one) => one === context.query.by) ?? 'day'
    const per = context.query.per === 'company' ? ('company' as const) : ('premises' as const)
    if (making.size >= AT_ONCE)
      throw new FiskError('rate_limited', 'other files are being made: wait until one is done')
    const { exports } = office
    const { principal, language } = context
    const one: Making = { userId: principal.id, written: 0, total: null }
    making.add(one)
    context.reply.raw.once('close', () => making.delete(one))
    if (file.startsWith('invoices')) one.total = await exports.count(principal, chosen.choice.wanted)
    const { name, type, content } = await fileOf(file, {
      exports,
      principal,
      grouping: { period, per },
      choice: chosen.choice,
      t: texts[language],
      written: (invoices) => {
        one.written += invoices
      },
    })
    return context.reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
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

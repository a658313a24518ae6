import { CLOSING_UNITS, shownPeriod } from '../../../domain/sale/closing-period.ts'
import type { ScheduleView } from '../../../fiscal/closings/closing-schedules.ts'
import { LANGUAGES } from '../../../fiscal/ports/model.ts'
import type { ClosingSchedule } from '../../../fiscal/ports/rows/closing-schedules.ts'
import { type PageContext, type Pages, statusOf } from '../../page-routes.ts'
import { salesChoices } from '../../sales-choices.ts'
import type { ClosingPageDeps } from '../list-page.ts'
import { type Fields, fieldsOf, readSchedule } from './form.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/closings/schedules'
const OPERATOR = { role: 'operator' } as const

const EMPTY: Fields = { unit: '', company: '', mode: '', to: '', language: '' }

/** Closings that are mailed by themselves. */
export function schedulePages(pages: Pages, { v1, office }: Pick<ClosingPageDeps, 'v1' | 'office'>): void {
  const { closingSchedules } = office

  pages.get('/closings/schedules', async (context) => {
    const { principal, language } = context
    const t = texts[language]
    const rowOf = ({ schedule, ...view }: ScheduleView) => ({
      ...{ ...schedule, ...view },
      company: view.company ?? t.allCompanies,
      next: shownPeriod({ unit: schedule.unit, starts: schedule.nextStarts }, language),
    })
    const rows = (await closingSchedules.list(principal)).map(rowOf)
    return context.show('closings/schedules/list', { title: t.title, t, rows, isSet: closingSchedules.isSet })
  })

  pages.get(
    '/closings/schedules/new',
    async (context) => {
      const { mode } = await salesChoices(v1, context.principal)
      const { email, language } = context.user
      return form(context, null, { unit: 'day', company: '', mode, to: email ?? '', language })
    },
    OPERATOR,
  )

  pages.get(
    '/closings/schedules/:id',
    async (context) => {
      const view = await closingSchedules.get(context.principal, context.params.id ?? '')
      return form(context, view.schedule, fieldsOf(view.schedule))
    },
    OPERATOR,
  )

  pages.post('/closings/schedules', (context) => save(context, null), OPERATOR)

  pages.post(
    '/closings/schedules/:id',
    async (context) => {
      const { schedule } = await closingSchedules.get(context.principal, context.params.id ?? '')
      return save(context, schedule)
    },
    OPERATOR,
  )

  pages.post(
    '/closings/schedules/:id/remove',
    (context) =>
      context.once<ClosingSchedule>(
        (keep) => closingSchedules.remove(context.principal, context.params.id ?? '', keep),
        { to: HERE, notice: 'schedule_removed' },
      ),
    OPERATOR,
  )

  /** @param schedule null for a new one */
  function save(context: PageContext, schedule: ClosingSchedule | null): Promise<unknown> {
    const { principal } = context
    const sent = { ...EMPTY, ...context.form }
    const read = readSchedule(context, texts[context.language])
    if ('errors' in read) return form(context, schedule, sent, read.errors)
    const { wanted } = read
    return context.once<ClosingSchedule>(
      (keep) =>
        schedule === null
          ? closingSchedules.add(principal, wanted, keep)
          : closingSchedules.change(principal, schedule.id, wanted, keep),
      { to: HERE, notice: 'saved', refused: (errors) => form(context, schedule, sent, errors) },
    )
  }

  async function form(
    context: PageContext,
    schedule: ClosingSchedule | null,
    values: Fields,
    errors: Record<string, string> = {},
  ): Promise<unknown> {
    const { principal, language } = context
    const t = texts[language]
    const { companies } = await salesChoices(v1, principal)
    const all = principal.companyIds === null ? [{ value: '', text: t.allCompanies }] : []
    const view = {
      title: schedule === null ? t.newTitle : t.editTitle(schedule.recipient),
      ...{ t, schedule, values, errors },
      companies: [...all, ...companies],
      units: CLOSING_UNITS.map((value) => ({ value, text: t.units[value] })),
      modes: (['live', 'test'] as const).map((value) => ({ value, text: t.modes[value] })),
      languages: LANGUAGES.map((value) => ({ value, text: t.languages[value] })),
    }
    return context.show('closings/schedules/edit', view, statusOf(errors))
  }
}

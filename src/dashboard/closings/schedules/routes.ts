import { CLOSING_UNITS, shownPeriod } from '../../../domain/sale/closing-period.ts'
import { textOfReason } from '../../../domain/texts/reason-texts.ts'
import type { ScheduleView, WantedSchedule } from '../../../fiscal/closings/closing-schedules.ts'
import { LANGUAGES } from '../../../fiscal/ports/model.ts'
import type { ClosingSchedule } from '../../../fiscal/ports/rows/closings.ts'
import { salesChoices } from '../../company-choices.ts'
import { chosenId } from '../../ids.ts'
import { showList } from '../../lists/list.ts'
import { addressIn } from '../../mail-form.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../../page-routes.ts'
import { type Texts, texts } from './texts.ts'

const HERE = '/dashboard/closings/schedules'

const MAIL_KINDS: Record<string, 'ok' | 'bad'> = { sent: 'ok', given_up: 'bad' }

const EMPTY: Fields = { unit: '', company: '', mode: '', to: '', language: '' }

export function schedulePages(pages: Pages, { v1, office }: DashboardDeps): void {
  const { closingSchedules } = office

  pages.get('/closings/schedules', async (context) => {
    const { principal, language, f } = context
    const t = texts[language]
    const mayAct = context.may('operator')
    const { isSet } = closingSchedules
    return showList<ScheduleView>(context, {
      title: t.title,
      path: HERE,
      query: {},
      about: t.about,
      said: isSet ? '' : textOfReason('mail_not_set', null, language),
      none: t.none,
      rows: await closingSchedules.list(principal),
      columns: [
        {
          title: t.mailTo,
          page: ({ schedule: { id, recipient } }) => ({ text: recipient, href: mayAct ? `${HERE}/${id}` : null }),
          place: 'm1',
        },
        {
          title: t.what,
          page: ({ schedule: { unit, language: written, mode }, company }) => ({
            text: [company ?? t.allCompanies, t.units[unit], t.languages[written]].join(', '),
            pills: [mode === 'test' && { kind: 'plain', text: t.modes.test }],
          }),
          place: 'm2',
        },
        {
          title: t.next,
          page: ({ schedule: { unit, nextStarts, stopped } }) =>
            stopped
              ? { text: `${t.stopped}: ${t.stops[stopped]}`, tone: 'bad' }
              : shownPeriod({ unit, starts: nextStarts }, language),
          place: 'm4',
        },
        {
          title: t.last,
          page: ({ mail }) =>
            !mail
              ? t.nothingYet
              : {
                  text: `${mail.subject}, ${f.time(mail.sentAt ?? mail.createdAt)}`,
                  pills: [{ kind: MAIL_KINDS[mail.status] ?? 'plain', text: t.mailStates[mail.status] }],
                  more: mail.status === 'given_up' ? mail.lastError : null,
                },
          place: 'rank2',
        },
        { title: t.savedBy, page: ({ savedBy }) => savedBy ?? t.gone, place: 'rank3' },
      ],
      look: 'log',
      crumb: { href: '/dashboard/closings', text: t.back },
      add: isSet && mayAct && { href: `${HERE}/new`, text: t.add },
    })
  })

  pages.get('/closings/schedules/new', OPERATOR, async (context) => {
    const { mode } = await salesChoices(v1, context.principal)
    const { email, language } = context.user
    return form(context, null, { unit: 'day', company: '', mode, to: email ?? '', language })
  })

  pages.get('/closings/schedules/:id', OPERATOR, async (context) => {
    const view = await closingSchedules.get(context.principal, context.params.id ?? '')
    return form(context, view.schedule, fieldsOf(view.schedule))
  })

  pages.post('/closings/schedules', OPERATOR, (context) => save(context, null))

  pages.post('/closings/schedules/:id', OPERATOR, async (context) => {
    const { schedule } = await closingSchedules.get(context.principal, context.params.id ?? '')
    return save(context, schedule)
  })

  pages.post('/closings/schedules/:id/remove', OPERATOR, (context) =>
    context.once<ClosingSchedule>((keep) => closingSchedules.remove(context.principal, context.params.id ?? '', keep), {
      to: HERE,
      notice: 'schedule_removed',
    }),
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
      t,
      schedule,
      values,
      errors,
      companies: [...all, ...companies],
      units: CLOSING_UNITS.map((value) => ({ value, text: t.units[value] })),
      modes: (['live', 'test'] as const).map((value) => ({ value, text: t.modes[value] })),
      languages: LANGUAGES.map((value) => ({ value, text: t.languages[value] })),
    }
    return context.show('closings/schedules/edit', view)
  }
}

type Fields = Record<'unit' | 'company' | 'mode' | 'to' | 'language', string>

function readSchedule(context: PageContext, t: Texts): { wanted: WantedSchedule } | { errors: Partial<Fields> } {
  const { form, principal } = context
  const companyId = chosenId(form.company ?? '') ?? null
  // Only users without a limit are offered all companies.
  if (companyId === null && principal.companyIds !== null) return { errors: { company: t.chooseCompany } }
  return {
    wanted: {
      unit: CLOSING_UNITS.find((one) => one === form.unit) ?? 'day',
      mode: form.mode === 'test' ? 'test' : 'live',
      companyId,
      recipient: addressIn(context),
      language: LANGUAGES.find((one) => one === form.language) ?? 'hr',
    },
  }
}

const fieldsOf = ({ unit, mode, companyId, recipient, language }: WantedSchedule): Fields => ({
  unit,
  mode,
  language,
  company: companyId ?? '',
  to: recipient,
})

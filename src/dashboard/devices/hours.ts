import { readWantedHours, type WantedHours } from '../../domain/hours/hours-rules.ts'
import { exceptionsIn, hoursLines, statedHours } from '../../domain/hours/hours-text.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import type { AskedRequest } from '../../fiscal/ports/rows/authority-requests.ts'
import type { AuthorityAnswer } from '../../fiscal/ports/tax-authority.ts'
import { addressOf } from '../addresses.ts'
import { viewOfStandings } from '../gateways/standing-view.ts'
import { requestBadge } from '../invoices/correct-view.ts'
import { inBoth } from '../language.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { deviceOf } from './change.ts'

const hoursTexts = inBoth({
  title: { en: (label: string) => `Working hours of ${label}`, hr: (label: string) => `Radno vrijeme: ${label}` },
  about: {
    en: 'The tax authority keeps the working hours of each premises; the first ones are registered in ePorezna together with the premises.',
    hr: 'Porezna uprava vodi radno vrijeme svakog poslovnog prostora; prvo se prijavljuje u ePoreznoj zajedno s prostorom.',
  },
  ask: {
    en: 'Ask the tax authority which hours it has',
    hr: 'Upitaj Poreznu upravu koje je radno vrijeme prijavljeno',
  },
  has: { en: 'The tax authority has', hr: 'Porezna uprava ima' },
  nothing: { en: 'Nothing is known.', hr: 'Ništa nije poznato.' },
  register: { en: 'Register hours', hr: 'Prijavi radno vrijeme' },
  from: { en: 'Regular hours count from (day)', hr: 'Redovno radno vrijeme vrijedi od (dan)' },
  fromHint: { en: 'From tomorrow to 44 days from today', hr: 'Od sutra do 44 dana unaprijed' },
  hours: { en: 'Regular hours', hr: 'Redovno radno vrijeme' },
  hoursHint: {
    en: 'Such as: mon-fri 08:00-20:00; sat 08:00-12:00 16:00-20:00; holidays 09:00-12:00 – or: daily 00:00-24:00 – or: mon odd 08:00-12:00; mon even 14:00-20:00 – or: by arrangement',
    hr: 'Na primjer: pon-pet 08:00-20:00; sub 08:00-12:00 16:00-20:00; praznici 09:00-12:00 – ili: svakodnevno 00:00-24:00 – ili: pon neparni 08:00-12:00; pon parni 14:00-20:00 – ili: po dogovoru',
  },
  note: { en: 'Note', hr: 'Napomena' },
  exceptions: { en: 'Exceptions, one day a line', hr: 'Iznimke, po jedan dan u retku' },
  exceptionsHint: { en: 'Such as: 2026-12-24 08:00-12:00', hr: 'Na primjer: 24.12.2026 08:00-12:00' },
  remove: { en: 'Delete hours', hr: 'Obriši radno vrijeme' },
  removeRegular: { en: 'Regular hours that count from (day)', hr: 'Redovno radno vrijeme koje vrijedi od (dan)' },
  removeException: { en: 'Exception of (day)', hr: 'Iznimka za (dan)' },
  go: { en: 'Continue', hr: 'Nastavi' },
  questionSet: {
    en: (machine: string, premises: string, hours: string) =>
      `Machine ${machine}, premises ${premises}: register ${hours} at the tax authority?`,
    hr: (machine: string, premises: string, hours: string) =>
      `Uređaj ${machine}, poslovni prostor ${premises}: prijaviti Poreznoj upravi ${hours}?`,
  },
  questionRemove: {
    en: (machine: string, premises: string, days: string) =>
      `Machine ${machine}, premises ${premises}: delete the hours of ${days} at the tax authority?`,
    hr: (machine: string, premises: string, days: string) =>
      `Uređaj ${machine}, poslovni prostor ${premises}: obrisati kod Porezne uprave radno vrijeme za ${days}?`,
  },
  send: { en: 'Send', hr: 'Pošalji' },
  history: { en: 'What was sent from here', hr: 'Što je odavde poslano' },
  removed: { en: 'Deleted', hr: 'Brisanje' },
  file: { en: 'Hours of many devices from a file', hr: 'Radno vrijeme više uređaja iz datoteke' },
})

interface Shown {
  errors?: Record<string, string>
  answer?: AuthorityAnswer
  question?: string
}

export function hoursPages(pages: Pages, deps: DashboardDeps): void {
  const { admin, office, now } = deps
  const path = '/devices/:id/hours'
  const here = (id: string) => `/dashboard/devices/${id}/hours`

  pages.get(path, OPERATOR, (context) => show(context))

  pages.post(`${path}/show`, OPERATOR, async (context) => {
    const { device, gateway } = await deviceOf(deps, context)
    if (gateway !== null) return order(context, device, 'hours.show', {})
    return orRefused(context, async () => ({
      answer: await office.hours.show(context.principal, { deviceId: device.id }),
    }))
  })

  pages.post(`${path}/ask`, OPERATOR, async (context) => {
    const { device, company } = await deviceOf(deps, context)
    return orRefused(context, async () => {
      const asks = readWantedHours(wantedIn(context), company.oib, now())
      const t = hoursTexts[context.language]
      const what = 'set' in asks ? hoursLines(statedHours(asks.set, context.language)) : daysOf(asks.remove)
      const question = 'set' in asks ? t.questionSet : t.questionRemove
      return { question: question(device.label, device.premisesCode, what.join('; ')) }
    })
  })

  pages.post(path, OPERATOR, async (context) => {
    const { device, gateway } = await deviceOf(deps, context)
    const wanted = wantedIn(context)
    if (gateway !== null)
      return 'set' in wanted
        ? order(context, device, 'hours.set', wanted.set)
        : order(context, device, 'hours.remove', wanted.remove)
    return context.once<AskedRequest>(
      (keep) => office.hours.change(context.principal, { deviceId: device.id }, wanted, keep),
      { to: here(device.id), refused: (errors) => show(context, { errors }) },
    )
  })

  function order(context: PageContext, device: { id: string; gatewayId: string }, type: string, body: object) {
    const command = { type, body: { device_id: device.id, ...body } }
    return context.once<GatewayCommand>(
      (keep) => admin.commands.sendCommand(context.principal, device.gatewayId, command, keep),
      { to: ({ id }) => addressOf(here(device.id), { sent: id }), refused: (errors) => show(context, { errors }) },
    )
  }

  async function orRefused(context: PageContext, work: () => Promise<Shown>) {
    return show(context, await work().catch((error: unknown) => ({ errors: context.errorsOf(error) })))
  }

  async function show(context: PageContext, { errors = {}, answer, question }: Shown = {}) {
    const { language, principal, form } = context
    const t = hoursTexts[language]
    const { device, standings } = await deviceOf(deps, context)
    const history = await office.hours.history(principal, { deviceId: device.id })
    const it = {
      title: t.title(device.label),
      t,
      base: here(device.id),
      device,
      standing: viewOfStandings(standings, context, here(device.id)),
      errors,
      form,
      question: question ?? null,
      answer: answer === undefined ? null : answerLines(answer, language),
      history: history.map((one) => historyRow(one, language)),
    }
    return context.show('devices/hours', it)
  }
}

function wantedIn({ form }: PageContext): WantedHours {
  const given = (name: string) => (form[name] ?? '').trim()
  const lines = given('exceptions').split('\n')
  const [from, hours, note, regular] = [given('from'), given('hours'), given('note'), given('regular')]
  if (given('what') === 'remove')
    return { remove: { regular: [regular].filter(Boolean), exceptions: lines.filter(Boolean) } }
  const sets = from === '' && hours === '' ? [] : [{ from, hours, ...(note !== '' && { note }) }]
  return { set: { regular: sets, exceptions: exceptionsIn(lines) } }
}

const daysOf = ({ regular, exceptions }: { regular: string[]; exceptions: string[] }) => [...regular, ...exceptions]

function answerLines(answer: AuthorityAnswer, language: Language): string[] {
  if (answer.kind === 'refused') return answer.errors.map(({ code, message }) => `${code}: ${message}`)
  return answer.kind === 'hours' ? hoursLines(statedHours(answer.hours, language)) : [answer.message]
}

function historyRow({ asked, state, sentAt, message }: AskedRequest, language: Language) {
  const removed = () => (asked.kind === 'hours_removed' ? daysOf(asked) : []).join(', ')
  return {
    what: asked.kind === 'hours_set' ? hoursLines(asked).join('; ') : `${hoursTexts[language].removed}: ${removed()}`,
    badge: requestBadge(state, language),
    at: sentAt,
    said: message,
  }
}

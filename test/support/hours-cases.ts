import type { RegularHours, RegularSpan, WorkingHours } from '../../src/domain/hours/hours.ts'
import type { HoursCode } from '../../src/domain/hours/hours-texts.ts'

const DAY_MS = 86_400_000

export type HoursCase = [code: HoursCode, found: WorkingHours, notFound: WorkingHours]

const part = (text: string, part: 1 | 2): RegularSpan[] => {
  const [from = '', to = ''] = text.split('-')
  return text === '' ? [] : [{ day: 1, part, from, to }]
}

/** Ways to write hours on a day such as `2026-11-30`. */
export function hoursAt(today: string) {
  const date = (days: number) => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10)
  const regular = (...ones: Partial<RegularHours>[]): WorkingHours => ({
    regular: ones.map((changes) => ({
      from: date(1),
      kind: 'single',
      spans: [{ day: 1, from: '08:00', to: '20:00' }],
      ...changes,
    })),
    exceptions: [],
  })
  return {
    date,
    /** The same day two months later, or the last of a shorter month. */
    inTwoMonths(): number {
      const at = new Date(today)
      const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 3, 0)).getUTCDate()
      const wanted = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, Math.min(at.getUTCDate(), last))
      return (wanted - at.getTime()) / DAY_MS
    },
    regular,
    single: (from: string, to: string) => regular({ spans: [{ day: 1, from, to }] }),
    split: (first: string, second: string) =>
      regular({ kind: 'split', spans: [...part(first, 1), ...part(second, 2)] }),
    /** Such as `24 08:00-12:00`: the day is so many days after today. */
    exceptions: (...texts: string[]): WorkingHours => ({
      regular: [],
      exceptions: texts.map((text) => {
        const [day, ...spans] = text.split(' ')
        const hours = spans.length > 0 ? spans : ['08:00-12:00']
        return { date: date(Number(day)), spans: hours.map((span) => ({ from: span.slice(0, 5), to: span.slice(6) })) }
      }),
    }),
  }
}

/** Of each code that can be told before sending, hours that have it, and some just on the other side of the bound. */
export function hoursCases(today: string): HoursCase[] {
  const { date, inTwoMonths, regular, single, split, exceptions } = hoursAt(today)
  const most = inTwoMonths()
  return [
    ['s103', regular({ from: date(0) }), regular({ from: date(1) })],
    ['s103', regular({ from: date(45) }), regular({ from: date(44) })],
    ['s104', regular({}, {}), regular({}, { from: date(2) })],
    ['s105', regular({}, {}), regular({}, { from: date(2) })],
    ['s106', split('08:00-12:00', ''), split('08:00-12:00', '16:00-20:00')],
    ['s106', split('', '16:00-20:00'), split('08:00-12:00', '16:00-20:00')],
    ['s108', exceptions('-1'), exceptions('0')],
    ['s108', exceptions(`${most + 1}`), exceptions(`${most}`)],
    ['s109', exceptions('24', '24'), exceptions('24', '25')],
    ['s112', single('08:00', '08:00'), single('08:00', '08:01')],
    ['s112', exceptions('24 08:00-07:00'), exceptions('24 00:00-24:00')],
    ['s113', split('08:00-12:00', '12:00-20:00'), split('08:00-12:00', '12:01-20:00')],
    ['s113', exceptions('24 08:00-12:00 12:00-20:00'), exceptions('24 08:00-12:00 12:01-20:00')],
    ['s114', split('08:00-24:00', '24:00-25:00'), split('08:00-23:59', '24:00-25:00')],
    ['s115', single('24:00', '25:00'), single('23:59', '24:00')],
    ['s116', split('08:00-12:00', '24:01-25:00'), split('08:00-12:00', '24:00-25:00')],
    ['s117', exceptions('31 20:00-26:01', '32 02:00-04:00'), exceptions('31 20:00-26:00', '32 02:00-04:00')],
    ['s123', regular(), exceptions('24')],
    ['s124', regular({ until: date(30) }), regular({})],
  ]
}

import type { Authority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import type { Agenda } from './agenda.ts'
import type { SoakOptions } from './options.ts'
import type { Week } from './week.ts'

/** What happens in a run beside the clock. */
export interface Happenings {
  authority: Authority
  sell(): Promise<void>
  read(): Promise<void>
  rotateLog(): void
  backUp(): Promise<void>
  /** The office looks at what the authority has refused, and puts it back. */
  retryFailed(): Promise<void>
  /** The daemon stops answering, and stays so until the watchdog ends it. */
  freeze(): void
  newCertificate(): Promise<void>
  endDay(day: number): Promise<void>
}

/** The day before whose sales the watchdog restarts the daemon: the days from there on are compared. */
export const restartDayOf = ({ days }: SoakOptions): number => Math.floor(days / 3)

/** The day on which the TLS certificate has less than 30 days left. */
export const tlsDayOf = ({ days }: SoakOptions): number => Math.floor(0.7 * days)
export const TLS_HOUR = 10

const READ_EVERY_H = 1
const OFFICE_OPENS_H = 8

/** Puts a week into the agenda. */
export function planWeek(agenda: Agenda, week: Week, options: SoakOptions, chance: Chance, to: Happenings): void {
  const { days } = options
  const { authority } = to
  const add = (day: number, hour: number, act: () => Promise<void> | void) => agenda.add(week.at(day, hour), act)
  const outage = (day: number, from: number, hours: number, begin: () => Promise<void>) => {
    if (day < 0) return
    add(day, from, begin)
    agenda.add(week.at(day, from) + hours * 3_600_000, authority.calm)
  }

  for (let day = 0; day < days; day++) {
    add(day, 0, to.rotateLog)
    // As fiskd-backup.timer has it: 03:00, and up to an hour later.
    add(day, 3 + chance.next(), to.backUp)
    add(day, OFFICE_OPENS_H, to.retryFailed)
    for (let hour = READ_EVERY_H; hour < 24; hour += READ_EVERY_H) add(day, hour + 0.5, to.read)
    for (const at of week.sales(day)) agenda.add(at, to.sell)
    add(day, 23.9, () => to.endDay(day))
  }

  // It refuses connections, takes them and says nothing, misbehaves at random, and is away for a night and more.
  outage(Math.min(1, days - 1), 14, 3, authority.goDown)
  outage(0, 12, 1 / 3, authority.hang)
  outage(Math.floor(days / 2), 11, 1, authority.wild)
  outage(days - 3, 20, 14, authority.goDown)

  add(restartDayOf(options), 4.5, to.freeze)
  add(Math.floor(days / 2), 9.25, to.newCertificate)
}

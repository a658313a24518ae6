import type { Logger } from 'pino'
import { principalOf } from '../../fiscal/access/sessions.ts'
import { type ClosingScheduleUseCases, createClosingSchedules } from '../../fiscal/closings/closing-schedules.ts'
import { runSchedules } from '../../fiscal/closings/run-schedules.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import type { OpenStore } from '../../store/store.ts'
import type { RunningClock } from './clocks.ts'
import type { Closings } from './closings.ts'
import { createLeasedPasses, type LeasedPasses } from './leased-passes.ts'

export interface ClosingSchedulesDeps {
  store: OpenStore
  clock: RunningClock
  log: () => Pick<Logger, 'error'>
  newUuid: () => string
  closings: Pick<Closings, 'useCases'>
  mails: OfficeMailing
}

export interface ClosingSchedules extends Omit<LeasedPasses, 'run'> {
  useCases: ClosingScheduleUseCases
}

const PASS_EVERY_MS = 60_000

/** Closes and mails by itself what is over; one process at a time does it. */
export function composeClosingSchedules(deps: ClosingSchedulesDeps): ClosingSchedules {
  const { store, clock, log, newUuid, closings, mails } = deps
  const { run, ...passes } = createLeasedPasses({
    ...{ store, clock, name: 'closing-schedules', firstAfterMs: PASS_EVERY_MS, againAfterMs: PASS_EVERY_MS },
    passOf(lease, signal) {
      const running = {
        ...{ store, clock, lease, closings: closings.useCases, mails },
        async principalOf(userId: string) {
          const user = await store.users.get(userId)
          return user && principalOf(user)
        },
        // Few of those who sell have a schedule.
        letter: async (...written: Parameters<typeof import('../../reports/closings/letter.ts').closingLetter>) =>
          (await import('../../reports/closings/letter.ts')).closingLetter(...written),
        onFault: ({ id }: { id: string }, error: unknown) =>
          log().error({ err: error, schedule: id }, 'closings could not be mailed: they are tried again'),
      }
      return async () => {
        await runSchedules(running, signal)
        return PASS_EVERY_MS
      }
    },
    onFault: (error) => log().error({ err: error }, 'schedules could not be run'),
  })
  return {
    ...passes,
    // Without a mail server there is nothing to do.
    start: () => (mails.isSet ? passes.start() : undefined),
    useCases: createClosingSchedules({ store, clock, newUuid, isSet: mails.isSet, onSaved: () => void run() }),
  }
}

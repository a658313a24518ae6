import { principalOfUser } from '../../fiscal/access/sessions.ts'
import { createClosingSchedules } from '../../fiscal/closings/closing-schedules.ts'
import type { ClosingUseCases } from '../../fiscal/closings/closings.ts'
import { runSchedules } from '../../fiscal/closings/run-schedules.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import type { Base } from './base.ts'
import { createLeasedPasses } from './leased-passes.ts'

const PASS_EVERY_MS = 60_000

/** Closes and mails by itself what is over; one process at a time does it. */
export function composeClosingSchedules(deps: Base & { closings: ClosingUseCases; mails: OfficeMailing }) {
  const { store, clock, log, newUuid, closings, mails } = deps
  const { run, ...passes } = createLeasedPasses(deps, {
    name: 'closing-schedules',
    everyMs: PASS_EVERY_MS,
    passOf(lease, signal) {
      const running = {
        store,
        clock,
        lease,
        closings,
        mails,
        principalOf: (userId: string) => principalOfUser(store, userId),
        // Few of those who sell have a schedule.
        letter: async (...written: Parameters<typeof import('../../reports/closings/letter.ts').closingLetter>) =>
          (await import('../../reports/closings/letter.ts')).closingLetter(...written),
        onFault: ({ id }: { id: string }, error: unknown) =>
          log.error({ err: error, schedule: id }, 'closings could not be mailed: they are tried again'),
      }
      return () => runSchedules(running, signal)
    },
    fault: 'schedules could not be run',
  })
  return {
    ...passes,
    // Without a mail server there is nothing to do.
    start: () => (mails.isSet ? passes.start() : undefined),
    useCases: createClosingSchedules({ store, clock, newUuid, isSet: mails.isSet, onSaved: () => void run() }),
  }
}

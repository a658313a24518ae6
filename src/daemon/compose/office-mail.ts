import { createOfficeMailing } from '../../fiscal/mail/office-mail.ts'
import { createOfficeSending } from '../../fiscal/mail/send-office-mails.ts'
import type { MailTransport } from '../../fiscal/ports/mail.ts'
import type { Base } from './base.ts'
import { createLeasedPasses } from './leased-passes.ts'

/** Mails wait at most so long for another try; new ones are sent at once. */
const PASS_EVERY_MS = 30_000

/** Sends the mails that people and schedules ask for; one process at a time does it. None without a mail server. */
export function composeOfficeMail(deps: Base & { transport: MailTransport | null }) {
  const { store, clock, newUuid, log, transport, metrics } = deps
  const passes =
    transport &&
    createLeasedPasses(deps, {
      name: 'office-mails',
      firstAfterMs: 1_000,
      everyMs: PASS_EVERY_MS,
      passOf: (lease) =>
        createOfficeSending({
          store,
          clock,
          lease,
          transport,
          onMail({ id, attempts }, result, answer) {
            metrics.mailEnded(result)
            log[result === 'sent' ? 'info' : 'warn']({ mailId: id, attempts, result, answer }, 'an office mail')
          },
        }),
      fault: 'mails could not be sent',
    })
  return {
    useCases: createOfficeMailing({
      store,
      clock,
      newUuid,
      isSet: transport !== null,
      onQueued: () => void passes?.run(),
    }),
    start: () => passes?.start(),
    stop: () => passes?.stop(),
    close: async () => passes?.close(),
  }
}

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { createLease } from '../../fiscal/lease.ts'
import { createOfficeMailing, type OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import { createOfficeSending } from '../../fiscal/mail/send-office-mails.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import { DatabaseAway } from '../../fiscal/ports/database-reach.ts'
import type { MailTransport } from '../../fiscal/ports/mail.ts'
import type { OpenStore } from '../../store/store.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'
import type { Metrics } from '../metrics/metrics.ts'

export interface OfficeMailDeps {
  store: OpenStore
  clock: Clock
  newUuid: () => string
  log: () => Pick<Logger, 'info' | 'warn' | 'error'>
  /** Null without a mail server. */
  transport: MailTransport | null
  metrics: Pick<Metrics, 'mailEnded'>
}

export interface OfficeMail {
  useCases: OfficeMailing
  start(): void
  stop(): void
  close(): Promise<void>
}

/** Mails wait at most so long for another try; new ones are sent at once. */
const PASS_EVERY_MS = 30_000

/** Sends the mails that people and schedules ask for; one process at a time does it. */
export function composeOfficeMail({ store, clock, newUuid, log, transport, metrics }: OfficeMailDeps): OfficeMail {
  const held = createLease({ store, clock }, 'office-mails', randomUUID())
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const lease = { hold: async () => !stopped && held.hold(), release: held.release }
  const send =
    transport &&
    createOfficeSending({
      ...{ store, clock, lease, transport },
      onMail({ id, attempts }, result, answer) {
        metrics.mailEnded(result)
        log()[result === 'sent' ? 'info' : 'warn']({ mailId: id, attempts, result, answer }, 'an office mail')
      },
    })
  const passes = oneAtATime(async () => {
    if (stopped || !send) return
    clearTimeout(timer)
    try {
      await send()
    } catch (error) {
      if (!(error instanceof DatabaseAway)) log().error({ err: error }, 'mails could not be sent')
    }
    if (!stopped) timer = setTimeout(passes.run, PASS_EVERY_MS)
  })
  const stop = () => {
    stopped = true
    clearTimeout(timer)
  }
  return {
    useCases: createOfficeMailing({
      ...{ store, clock, newUuid, isSet: transport !== null },
      onQueued: () => void passes.run(),
    }),
    start() {
      timer = setTimeout(passes.run, 1_000)
    },
    stop,
    async close() {
      stop()
      await passes.settled()
      await held.release().catch((error: unknown) => {
        if (!(error instanceof DatabaseAway)) throw error
      })
    },
  }
}

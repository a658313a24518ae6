import { type EpochMs, MINUTE_MS } from '../../domain/instant.ts'
import type { Lease } from '../lease.ts'
import type { Clock } from '../ports/clock.ts'
import type { Delivery, Letter, MailTransport } from '../ports/mail.ts'
import type { Mail } from '../ports/model.ts'

/** The result of a mail or an attempt: `dropped` when there was no reason any more to send it. */
export const MAIL_RESULTS = ['sent', 'failed', 'refused', 'given_up', 'dropped'] as const
export type MailResult = (typeof MAIL_RESULTS)[number]

/** What is counted and logged of an attempt. */
export type OnMail = (mail: Pick<Mail, 'id' | 'attempts'>, result: MailResult, answer: string | null) => void

export const LONGEST_PAUSE_MS = 60 * MINUTE_MS

export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(attempts - 1, 10))
}

/** Of a mail that nobody has tried to send yet. */
export const untried = (now: EpochMs) => {
  const never = { sentAt: null, lastError: null }
  return { createdAt: now, status: 'waiting', attempts: 0, nextTryAt: now, ...never } as const
}

export interface MailQueue<M extends Pick<Mail, 'id' | 'attempts'>> {
  /** @param soonest a next try later than this moment was set by a wrong clock and is due */
  next(now: EpochMs, soonest: EpochMs): Promise<M | undefined>
  /** Stores `sending` before the server is contacted. @returns undefined to send nothing; `taken` by another process */
  begin(due: M): Promise<(M & Letter) | 'taken' | undefined>
  conclude(mail: M, delivery: Delivery): Promise<MailResult>
}

export interface SendDeps {
  clock: Clock
  /** Only one of several processes sends. */
  lease: Lease
  transport: MailTransport
  onMail: OnMail
}

/**
 * Sends the mails that are due, one after the other. When it is unknown whether the server accepted a mail, it is sent
 * again with the same Message-ID, by which mail servers and programs recognise duplicates.
 */
export async function sendDueMails<M extends Pick<Mail, 'id' | 'attempts'>>(
  { clock, lease, transport, onMail }: SendDeps,
  queue: MailQueue<M>,
): Promise<void> {
  for (;;) {
    const now = clock.now()
    const due = await queue.next(now, now + 2 * LONGEST_PAUSE_MS)
    if (!due || !(await lease.hold())) return
    const mail = await queue.begin(due)
    // This process held the lease, was stopped for longer, and another one has sent it.
    if (mail === 'taken') return
    if (!mail) {
      onMail(due, 'dropped', null)
      continue
    }
    const delivery = await transport.send(mail)
    onMail(mail, await queue.conclude(mail, delivery), delivery.answer)
    if (delivery.result !== 'sent' && delivery.unreachable) return
  }
}

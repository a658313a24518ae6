import { HOUR_MS } from '../../domain/instant.ts'
import type { Context } from '../context.ts'
import type { Delivery, OfficeMail } from '../ports/mail.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { type MailQueue, type MailResult, pauseAfter, type SendDeps, sendDueMails } from './send-due-mails.ts'

const GIVE_UP_AFTER_MS = 48 * HOUR_MS
/** A mail server that takes a mail and does not say so in time would deliver it again and again. */
const MOST_UNANSWERED = 3
/** That a mail was sent is kept this long, what it said and its files until it was. */
const KEPT_MS = 90 * 24 * HOUR_MS

/** The lease is written to the disk, so it is taken only where there is something to do. */
const FORGET_EVERY_MS = 6 * HOUR_MS

/** @returns a pass, which sends the mails of the office that are due */
export function createOfficeSending(deps: SendDeps & { store: Store }): () => Promise<void> {
  const { store, clock, lease } = deps
  const queue = queueOf(deps)
  let forgotAt = Number.NEGATIVE_INFINITY
  return async () => {
    await sendDueMails(deps, queue)
    const now = clock.now()
    if (Math.abs(now - forgotAt) < FORGET_EVERY_MS || !(await lease.hold())) return
    await store.officeMails.forget(now - KEPT_MS)
    forgotAt = now
  }
}

function queueOf({ store, clock }: Context): MailQueue<OfficeMail> {
  return {
    async next(now, soonest) {
      const [due] = await store.officeMails.due(now, soonest, 1)
      return due
    },
    begin({ id, attempts }) {
      return store.transaction(async (tx) => {
        await tx.subjects.hold('mails')
        const mail = await tx.officeMails.get(id)
        const isDue = mail?.attempts === attempts && (mail.status === 'waiting' || mail.status === 'sending')
        if (!mail || !isDue) return 'taken'
        const sending = { status: 'sending', attempts: attempts + 1 } as const
        await tx.officeMails.update(id, sending)
        return { ...mail, ...sending, ...(await senderOf(tx, mail)), files: await tx.officeMails.files(id) }
      })
    },
    conclude: (mail, delivery) =>
      store.transaction(async (tx) => {
        const now = clock.now()
        const result = resultOf(mail, delivery, now)
        if (result === 'sent') await tx.officeMails.update(mail.id, { status: 'sent', sentAt: now, lastError: null })
        else {
          const status = result === 'failed' ? 'waiting' : 'given_up'
          // Of a mail that is given up it says when.
          const nextTryAt = result === 'failed' ? now + pauseAfter(mail.attempts) : now
          await tx.officeMails.update(mail.id, { status, nextTryAt, lastError: delivery.answer })
        }
        if (result !== 'failed') await tx.officeMails.dropContent(mail.id)
        return result
      }),
  }
}

/** A mail with the data of one company comes from it, and an answer goes to the user who asked for the mail. */
async function senderOf({ companies, users }: StoreTransaction, { companyId, requestedBy }: OfficeMail) {
  if (companyId === null) return {}
  const [company, user] = [await companies.get(companyId), await users.get(requestedBy)]
  return { sender: company?.name, replyTo: user?.email ?? undefined }
}

/** An address that the mail server refuses was mistyped: the user who asked for the mail corrects it and asks again. */
function resultOf({ createdAt, attempts }: OfficeMail, delivery: Delivery, now: number): MailResult {
  if (delivery.result !== 'failed') return delivery.result
  const isOver = now - createdAt >= GIVE_UP_AFTER_MS || (delivery.mayHaveArrived && attempts >= MOST_UNANSWERED)
  return isOver ? 'given_up' : 'failed'
}

import { setImmediate } from 'node:timers/promises'
import { alertState, isOfferWithdrawn } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Lease } from '../lease.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Delivery, MailTransport, MailWords, Recipient, ToldAlert } from '../ports/mail.ts'
import type { Mail } from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { type AlertTo, recipientsOf } from './recipients.ts'

/** What became of a mail, or of an attempt: `dropped` when what it tells of was over before it went out. */
export const MAIL_RESULTS = ['sent', 'failed', 'refused', 'given_up', 'dropped'] as const
export type MailResult = (typeof MAIL_RESULTS)[number]

export interface MailingDeps {
  store: Pick<Store, 'mails' | 'tenants' | 'transaction' | 'users'>
  clock: Clock
  newUuid: () => string
  /** Of several processes one sends. */
  lease: Lease
  words: MailWords
  transport: MailTransport
  alertTo: AlertTo
  onMail: (mail: Pick<Mail, 'id' | 'attempts'>, result: MailResult, answer: string | null) => void
}

const MINUTE_MS = 60_000
/** What happens within a few minutes is one mail: it goes out when nothing came for two, or the first has waited for five. */
const QUIET_MS = 2 * MINUTE_MS
const LONGEST_WAIT_MS = 5 * MINUTE_MS

const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * MINUTE_MS
/** Mails of what is over are kept for as long as somebody may ask about them. */
const KEPT_MS = 90 * 24 * 60 * MINUTE_MS
/** All mails are looked at for it. */
const FORGET_EVERY_MS = 6 * 60 * MINUTE_MS
/** More than one mail can name; what goes beyond waits for the next one. */
const TOLD_AT_ONCE = 5000

/**
 * One pass: makes mails of the alerts that people were not told of, and sends what is due. A mail and whom it tells of
 * what are stored together, and `sending` before the mail server hears of it: whatever ends the process, nobody goes
 * untold. Where nobody knows whether the server took it, it is sent again with the same Message-ID, by which mail
 * servers and programs know that it is the same.
 */
export function createMailing(deps: MailingDeps): () => Promise<void> {
  const { store, clock, lease } = deps
  let forgotAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!(await lease.hold())) return
    await makeMails(deps)
    await sendMails(deps)
    const now = clock.now()
    if (Math.abs(now - forgotAt) < FORGET_EVERY_MS) return
    await store.mails.forget(now - KEPT_MS)
    forgotAt = now
  }
}

async function makeMails({ store, clock, newUuid, words, alertTo }: MailingDeps): Promise<void> {
  for (const { id: tenantId } of await store.tenants.list()) {
    for (const recipient of await recipientsOf(store, tenantId, alertTo)) {
      await setImmediate()
      if (!isRipe(await tellableTo(store, recipient), clock.now())) continue
      await store.transaction(async (tx) => {
        const alerts = await tellableTo(tx, recipient)
        if (alerts.length === 0) return
        const mail = newMail(
          newUuid(),
          recipient,
          words.digest(await toldOf(tx, alerts), recipient.language),
          clock.now(),
        )
        await tx.mails.insert(
          mail,
          alerts.map(({ id }) => id),
        )
      })
    }
  }
}

/** Each alert is mailed once: what offers something waits until it does so again. */
async function tellableTo({ mails }: Pick<StoreTransaction, 'mails'>, recipient: Recipient): Promise<Alert[]> {
  return (await mails.untold(recipient, TOLD_AT_ONCE)).filter((alert) => !isOfferWithdrawn(alert))
}

/** A clock that was set back must not keep anybody waiting: what is yet to come is ripe. */
function isRipe(alerts: readonly Alert[], now: EpochMs): boolean {
  const ages = alerts.map(({ raisedAt }) => now - raisedAt)
  return (
    ages.some((age) => age >= LONGEST_WAIT_MS || age < 0) || (ages.length > 0 && ages.every((age) => age >= QUIET_MS))
  )
}

function newMail(id: string, to: Recipient, words: Pick<Mail, 'subject' | 'text' | 'html'>, now: EpochMs): Mail {
  const { tenantId, address: recipient, language } = to
  return {
    id,
    tenantId,
    recipient,
    language,
    ...words,
    createdAt: now,
    status: 'waiting',
    attempts: 0,
    nextTryAt: now,
    sentAt: null,
    lastError: null,
  }
}

async function toldOf(tx: Pick<StoreTransaction, 'gateways'>, alerts: readonly Alert[]): Promise<ToldAlert[]> {
  const names = await tx.gateways.names([...new Set(alerts.map(({ gatewayId }) => gatewayId))])
  return alerts.map((alert) => ({ alert, gateway: names.get(alert.gatewayId) ?? null }))
}

async function sendMails(deps: MailingDeps): Promise<void> {
  const { store, clock, lease, transport, onMail } = deps
  for (;;) {
    const now = clock.now()
    const [due] = await store.mails.due(now, now + 2 * LONGEST_PAUSE_MS, 1)
    if (!due || !(await lease.hold())) return
    const mail = await begin(deps, due)
    if (!mail) {
      onMail(due, 'dropped', null)
      continue
    }
    const delivery = await transport.send(mail)
    onMail(mail, await conclude(deps, mail, delivery), delivery.answer)
    if (delivery.result !== 'sent' && delivery.unreachable) return
  }
}

/** @returns the mail as it is sent; undefined when there is nothing left to tell, or nobody to tell it to */
function begin({ store, words, alertTo }: MailingDeps, { id }: Mail): Promise<Mail | undefined> {
  return store.transaction(async (tx) => {
    const mail = await tx.mails.get(id)
    if (!mail) return undefined
    const alerts = await tx.mails.alertsOf(id)
    const left = alerts.filter((alert) => alertState(alert) === 'open')
    const wanted = (await recipientsOf(tx, mail.tenantId, alertTo)).some(({ address }) => address === mail.recipient)
    if (left.length === 0 || !wanted) {
      // Who wants mails again later is told of what still goes on.
      if (!wanted) await tx.mails.untell(id)
      await tx.mails.update(id, { status: 'given_up', lastError: wanted ? 'all of it is over' : 'nobody wants it' })
      return undefined
    }
    // What was handed over, maybe, is said again in the same words.
    const isNews = mail.status === 'waiting' && left.length < alerts.length
    const said = isNews ? words.digest(await toldOf(tx, left), mail.language) : {}
    const sending = { ...said, status: 'sending', attempts: mail.attempts + 1 } as const
    await tx.mails.update(id, sending)
    return { ...mail, ...sending }
  })
}

function conclude(deps: MailingDeps, mail: Mail, { result, answer }: Delivery): Promise<MailResult> {
  const { store, clock, newUuid } = deps
  const { id, tenantId, recipient, attempts, createdAt } = mail
  const subject = `${tenantId} ${recipient}`.slice(0, LONGEST_SUBJECT)
  return store.transaction(async (tx) => {
    const now = clock.now()
    if (result === 'sent') {
      await tx.mails.update(id, { status: 'sent', sentAt: now, lastError: null })
      await tx.alerts.resolve('mail_failed', subject, now)
      return result
    }
    const isOver = now - createdAt >= GIVE_UP_AFTER_MS
    // Whoever the server does not know will not be known in a minute.
    const pause = result === 'refused' ? LONGEST_PAUSE_MS : pauseAfter(attempts)
    await tx.mails.update(id, { status: isOver ? 'given_up' : 'waiting', nextTryAt: now + pause, lastError: answer })
    if (isOver || result === 'refused') {
      const detail = { recipient, answer }
      await tx.alerts.raise({ id: newUuid(), tenantId, kind: 'mail_failed', subject, detail, raisedAt: now })
    }
    return isOver ? 'given_up' : result
  })
}

/** What a central server takes. */
const LONGEST_SUBJECT = 200

function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(attempts - 1, 10))
}

import { setImmediate } from 'node:timers/promises'
import { alertState, isOfferWithdrawn } from '../../domain/alert.ts'
import { type EpochMs, MINUTE_MS } from '../../domain/instant.ts'
import { reachesCompany } from '../access/principal.ts'
import {
  LONGEST_PAUSE_MS,
  type MailQueue,
  type MailResult,
  pauseAfter,
  type SendDeps,
  sendDueMails,
  untried,
} from '../mail/send-due-mails.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Delivery, MailWords, Recipient, ToldAlert } from '../ports/mail.ts'
import type { Mail } from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { type AlertTo, recipientsOf } from './recipients.ts'

export interface MailingDeps extends SendDeps {
  store: Store
  newUuid: () => string
  words: MailWords
  alertTo: AlertTo
}

/**
 * Alerts within a few minutes are one mail: it is sent when none was raised for two minutes, or the first one is five
 * minutes old.
 */
const QUIET_MS = 2 * MINUTE_MS
const LONGEST_WAIT_MS = 5 * MINUTE_MS

const GIVE_UP_AFTER_MS = 7 * 24 * 60 * MINUTE_MS
/** Mails about resolved alerts are kept this long for inquiries. */
const KEPT_MS = 90 * 24 * 60 * MINUTE_MS
/** The cleanup reads all mails. */
const FORGET_EVERY_MS = 6 * 60 * MINUTE_MS
/** More alerts than one mail can list; the rest waits for the next mail. */
const TOLD_AT_ONCE = 5000

/**
 * One pass: creates mails for alerts that recipients have not been mailed about, and sends the mails that are due. A
 * mail is stored together with its alerts, and `sending` is stored before the mail server is contacted, so no alert is
 * lost when the process ends.
 */
export function createMailing(deps: MailingDeps): () => Promise<void> {
  const { store, clock, lease } = deps
  let forgotAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!(await lease.hold())) return
    await makeMails(deps)
    await sendDueMails(deps, queueOf(deps))
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
        await tx.subjects.hold('mails')
        const alerts = await tellableTo(tx, recipient)
        if (alerts.length === 0) return
        const { address, language } = recipient
        const said = words.digest(await toldOf(tx, alerts), language)
        const mail = { id: newUuid(), tenantId, recipient: address, language, ...said, ...untried(clock.now()) }
        await tx.mails.insert(
          mail,
          alerts.map(({ id }) => id),
        )
      })
    }
  }
}

/** Each alert is mailed once. An alert whose offer was withdrawn waits until the offer is valid again. */
async function tellableTo({ mails }: StoreTransaction, recipient: Recipient): Promise<Alert[]> {
  return (await mails.untold(recipient, TOLD_AT_ONCE)).filter((alert) => !isOfferWithdrawn(alert))
}

/** After the clock was set back, alerts with a future time count as ready, so that no recipient waits. */
function isRipe(alerts: readonly Alert[], now: EpochMs): boolean {
  const ages = alerts.map(({ raisedAt }) => now - raisedAt)
  return (
    ages.some((age) => age >= LONGEST_WAIT_MS || age < 0) || (ages.length > 0 && ages.every((age) => age >= QUIET_MS))
  )
}

async function toldOf(tx: StoreTransaction, alerts: readonly Alert[]): Promise<ToldAlert[]> {
  const names = await tx.gateways.names([...new Set(alerts.map(({ gatewayId }) => gatewayId))])
  return alerts.map((alert) => ({ alert, gateway: names.get(alert.gatewayId) ?? null }))
}

function queueOf(deps: MailingDeps): MailQueue<Mail> {
  return {
    async next(now, soonest) {
      const [due] = await deps.store.mails.due(now, soonest, 1)
      return due
    },
    begin: (due) => begin(deps, due),
    conclude: (mail, delivery) => conclude(deps, mail, delivery),
  }
}

/**
 * @returns the mail to send; undefined when its alerts are resolved or the recipient does not want mails any more;
 *   `taken` when another process has begun to send it
 */
function begin({ store, words, alertTo }: MailingDeps, { id, attempts }: Mail): Promise<Mail | 'taken' | undefined> {
  return store.transaction(async (tx) => {
    await tx.subjects.hold('mails')
    const mail = await tx.mails.get(id)
    if (!mail) return undefined
    if (mail.attempts !== attempts || (mail.status !== 'waiting' && mail.status !== 'sending')) return 'taken'
    const alerts = await tx.mails.alertsOf(id)
    const recipients = await recipientsOf(tx, mail.tenantId, alertTo)
    const wanted = recipients.find(({ address }) => address === mail.recipient)
    // A recipient may have been limited to other companies since.
    const allowed = alerts.filter((alert) => wanted && reachesCompany(wanted, alert.companyId))
    const left = allowed.filter((alert) => alertState(alert) === 'open')
    if (left.length === 0 || !wanted) {
      // If the recipient wants mails again later, unresolved alerts are mailed again.
      if (!wanted) await tx.mails.untell(id)
      await tx.mails.update(id, { status: 'given_up', lastError: wanted ? 'all of it is over' : 'nobody wants it' })
      return undefined
    }
    // A mail that was possibly sent already is repeated without changes.
    const isNews = allowed.length < alerts.length || (mail.status === 'waiting' && left.length < alerts.length)
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
    // An unknown recipient will still be unknown in a minute.
    const pause = result === 'refused' ? LONGEST_PAUSE_MS : pauseAfter(attempts)
    await tx.mails.update(id, { status: isOver ? 'given_up' : 'waiting', nextTryAt: now + pause, lastError: answer })
    if (isOver || result === 'refused') {
      const detail = { recipient, answer }
      await tx.alerts.raise({ id: newUuid(), tenantId, kind: 'mail_failed', subject, detail, raisedAt: now })
    }
    return isOver ? 'given_up' : result
  })
}

/** The maximum length that a central server accepts. */
const LONGEST_SUBJECT = 200

import type { EpochMs } from '../../domain/instant.ts'
import type { Alert } from './alerts.ts'
import type { Language, Mail } from './model.ts'

/** A user who gets a tenant's alerts by mail. */
export interface Recipient {
  tenantId: string
  /** In lower case. */
  address: string
  language: Language
  /** Only alerts about these companies are sent to them; null for all alerts. */
  companyIds: readonly string[] | null
  /** Alerts raised earlier than this are not sent to them. */
  since: EpochMs
}

/** A recipient of an alert, and the state of the mail to them. */
export type Notice = Pick<Mail, 'recipient' | 'status' | 'sentAt'>

/** The outgoing mails, with their recipients and alerts. */
export interface Mails {
  /**
   * The tenant's unresolved, unacknowledged alerts that this recipient got no mail about, the oldest first. Alerts from
   * gateways are included.
   */
  untold(recipient: Recipient, limit: number): Promise<Alert[]>
  /** Stores a mail together with the alerts it is about. */
  insert(mail: Mail, alertIds: readonly string[]): Promise<void>
  /** Removes the link between a mail and its alerts; the mail is not sent. */
  untell(mailId: string): Promise<void>
  /**
   * Mails to send now, ordered by the last try, the oldest first. Mails that a stop has interrupted are included.
   * @param soonest a next try later than this moment was set by a wrong clock and is due
   */
  due(now: EpochMs, soonest: EpochMs, limit: number): Promise<Mail[]>
  get(id: string): Promise<Mail | undefined>
  /** The alerts that a mail is about, the oldest first. */
  alertsOf(mailId: string): Promise<Alert[]>
  update(id: string, changes: Partial<Omit<Mail, 'id' | 'tenantId' | 'recipient' | 'createdAt'>>): Promise<void>
  /** Ordered by recipient. */
  noticesOf(alertId: string): Promise<Notice[]>
  /** Removes mails that were created before a moment and whose alerts are all resolved. */
  forget(before: EpochMs): Promise<void>
}

export interface MailFile {
  /** Letters, digits, `.`, `-` and `_`. */
  name: string
  /** Its media type, as in `application/pdf`. */
  type: string
  content: Buffer
}

/** A mail as it is handed to the mail server. */
export type Letter = Pick<Mail, 'id' | 'recipient' | 'subject' | 'text' | 'html'> & {
  files?: readonly MailFile[]
  /** The name of the sender; by default that of the configured address, which stays in any case. */
  sender?: string | undefined
  /** Where an answer goes. */
  replyTo?: string | undefined
}

/**
 * The result of sending a mail. `refused`: the mail server permanently refuses this recipient; other recipients may
 * work. `failed`: the server was not reached, or refuses temporarily.
 */
export type Delivery = { answer: string } & (
  | { result: 'sent' }
  | {
      result: 'refused' | 'failed'
      /** True when other mails would fail, too. */
      unreachable: boolean
      /** The mail server did not answer in time after it may have taken the mail. */
      mayHaveArrived?: true
    }
)

export interface MailTransport {
  /** Takes at most 30 seconds and never throws. Every try of a mail uses the same Message-ID. */
  send(letter: Letter): Promise<Delivery>
  /** Connects and signs in, without sending. Never throws. */
  check(): Promise<{ ok: boolean; answer: string }>
}

export type Words = Pick<Mail, 'subject' | 'text' | 'html'>

/** An alert as a mail shows it. */
export interface ToldAlert {
  alert: Alert
  /** The name of the gateway that reported it; null for an own alert. */
  gateway: string | null
}

export interface MailWords {
  /** @param alerts not empty */
  digest(alerts: readonly ToldAlert[], language: Language): Words
  test(language: Language, at: EpochMs): Words
}

/** A mail that a user or a schedule has asked for. */
export interface OfficeMail extends Omit<Mail, 'language'> {
  /** Whose data it has; null for no single company. */
  companyId: string | null
  /** As in `receipt_copy`. */
  kind: string
  /** What it is about, such as the id of an invoice: the page of that shows the mail. */
  about: string
  /** Unique within the tenant: what was asked for twice is sent once. */
  once: string
  /** The id of the user, or the name of a schedule. */
  requestedBy: string
}

/** Mails with files on their way, apart from those about alerts. */
export interface OfficeMails {
  /** @throws Duplicate when its `once` is taken */
  insert(mail: OfficeMail, files: readonly MailFile[]): Promise<void>
  get(id: string): Promise<OfficeMail | undefined>
  byOnce(tenantId: string, once: string): Promise<OfficeMail | undefined>
  /** In order. */
  files(id: string): Promise<MailFile[]>
  /** As `Mails.due`. */
  due(now: EpochMs, soonest: EpochMs, limit: number): Promise<OfficeMail[]>
  update(
    id: string,
    changes: Partial<Pick<OfficeMail, 'status' | 'attempts' | 'nextTryAt' | 'sentAt' | 'lastError'>>,
  ): Promise<void>
  /** Removes what a mail that has ended said, and its files: there may be a secret or a customer's data in them. */
  dropContent(id: string): Promise<void>
  /** The latest first. */
  about(tenantId: string, about: string, limit: number): Promise<OfficeMail[]>
  /** The latest mail of each of these users or schedules, in no order. */
  latestOf(tenantId: string, requestedBy: readonly string[]): Promise<OfficeMail[]>
  /**
   * Mails of these schedules that were given up, or are still on their way though they were made by a moment; the latest
   * first. Left out are those about what was sent again since, by the same schedule or by hand.
   */
  failing(tenantId: string, requestedBy: readonly string[], madeBy: EpochMs): Promise<OfficeMail[]>
  /** How many mails of a tenant have not ended. */
  countWaiting(tenantId: string): Promise<number>
  /** How many mails a user or a schedule has asked for since a moment. */
  countSince(tenantId: string, requestedBy: string, since: EpochMs): Promise<number>
  /** Removes some mails that have ended and were made before a moment. */
  forget(before: EpochMs): Promise<void>
}

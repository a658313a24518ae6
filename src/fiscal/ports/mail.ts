import type { EpochMs } from '../../domain/instant.ts'
import type { Alert } from './alerts.ts'
import type { Language, Mail, MailStatus } from './model.ts'

/** Somebody who is told of a tenant's alerts by mail. */
export interface Recipient {
  tenantId: string
  /** In lower case. */
  address: string
  language: Language
  /** What was raised before is not for them. */
  since: EpochMs
}

/** Whom an alert was told to, or is about to be. */
export interface Notice {
  recipient: string
  status: MailStatus
  sentAt: EpochMs | null
}

/** The mails on their way, and whom they tell of what. */
export interface Mails {
  /**
   * The tenant's alerts, those of gateways too, that nobody has acknowledged, that go on and that this recipient was
   * not told of, the oldest first.
   */
  untold(recipient: Recipient, limit: number): Promise<Alert[]>
  /** Stores a mail and that it tells its recipient of these alerts. */
  insert(mail: Mail, alertIds: readonly string[]): Promise<void>
  /** Forgets whom a mail was to tell: it is not sent. */
  untell(mailId: string): Promise<void>
  /**
   * What is to be sent now, what was tried longest ago first; what was being sent when we stopped is among it.
   * @param soonest a next try behind this moment was set by a wrong clock
   */
  due(now: EpochMs, soonest: EpochMs, limit: number): Promise<Mail[]>
  get(id: string): Promise<Mail | undefined>
  /** What a mail tells of, the oldest first. */
  alertsOf(mailId: string): Promise<Alert[]>
  update(id: string, changes: Partial<Omit<Mail, 'id' | 'tenantId' | 'recipient' | 'createdAt'>>): Promise<void>
  /** By recipient. */
  noticesOf(alertId: string): Promise<Notice[]>
  /** Removes mails that were made before a moment and tell of nothing that goes on. */
  forget(before: EpochMs): Promise<void>
}

/** A mail as it is handed to the mail server. */
export type Letter = Pick<Mail, 'id' | 'recipient' | 'subject' | 'text' | 'html'>

/**
 * What came of handing over a mail. `refused`: the mail server does not take it for this recipient, and says that it
 * will not; others may do better. `failed`: the server could not be reached, or not now.
 */
export type Delivery = { answer: string } & (
  | { result: 'sent' }
  | { result: 'refused' | 'failed' /** Other mails would meet the same. */; unreachable: boolean }
)

export interface MailTransport {
  /** Takes half a minute at most, and never throws. The Message-ID is that of the mail, however often it is sent. */
  send(letter: Letter): Promise<Delivery>
  /** Connects and signs in, without sending. Never throws. */
  check(): Promise<{ ok: boolean; answer: string }>
}

export type Words = Pick<Mail, 'subject' | 'text' | 'html'>

/** An alert as a mail tells it. */
export interface ToldAlert {
  alert: Alert
  /** The gateway that told of it; null for our own. */
  gateway: string | null
}

/** How mails read. */
export interface MailWords {
  /** @param alerts not empty */
  digest(alerts: readonly ToldAlert[], language: Language): Words
  test(language: Language, at: EpochMs): Words
}

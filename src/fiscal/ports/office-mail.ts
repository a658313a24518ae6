import type { EpochMs } from '../../domain/instant.ts'
import type { MailFile } from './mail.ts'
import type { Mail } from './model.ts'

/** A mail that a user or a schedule has asked for. */
export interface OfficeMail extends Omit<Mail, 'language'> {
  /** Whose data it has; null for no single company. */
  companyId: string | null
  /** What kind of mail it is. */
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
  /**
   * Mails to send now, ordered by the last try, the oldest first. Mails that a stop has interrupted are included.
   * @param soonest a next try later than this moment was set by a wrong clock and is due
   */
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

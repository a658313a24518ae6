import type { EpochMs } from '../../domain/instant.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { OfficeMailing, WantedMail } from '../mail/office-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import type { ClosingsWanted } from './closings.ts'

export type ClosingLetter = Pick<WantedMail, 'to' | 'subject' | 'text' | 'html' | 'files'>

/** What a mail is about: the wanted closings, or one of them. */
export type MailedClosings = ClosingsWanted & { closingId?: string }

/** Closings by mail. */
export function createClosingMails({ mails, clock }: { mails: OfficeMailing; clock: Clock }) {
  return {
    /** Whether a mail server is set. */
    isSet: mails.isSet,
    /**
     * Stores a mail with closings, which is sent within seconds. What is in it was read as the same principal.
     * @throws FiskError `insufficient_scope`, and what `OfficeMailing.queue` throws
     */
    async send(principal: Principal, closings: MailedClosings, letter: ClosingLetter, keep?: Keep<OfficeMail>) {
      requireScope(principal, 'invoices:write')
      return mails.queue(principal, { ...letter, ...subjectOf(closings) }, async (tx, mail) => {
        await auditMailed(tx, principal, clock.now(), closings, letter)
        await keep?.(tx, mail)
      })
    },
    /** The mails about them that the principal may see: its own, and those about one of its companies. */
    async sent(principal: Principal, closings: MailedClosings): Promise<OfficeMail[]> {
      requireScope(principal, 'invoices:read')
      const found = await mails.about(principal, subjectOf(closings).about)
      return found.filter(
        ({ companyId, requestedBy }) => requestedBy === principal.id || reachesCompany(principal, companyId),
      )
    },
  }
}

export function subjectOf({ unit, starts, mode, companyId, closingId }: MailedClosings) {
  const about = closingId === undefined ? `closings ${mode} ${unit} ${starts}` : `closing ${closingId}`
  return { kind: 'closings', about, companyId: companyId ?? null }
}

export async function auditMailed(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  at: EpochMs,
  { unit, starts, mode, companyId }: MailedClosings,
  { to, scheduleId }: { to: string; scheduleId?: string },
): Promise<void> {
  const detail = { unit, starts, mode, company_id: companyId ?? null, to }
  await audit(tx, by, at, 'closings.mailed', {
    ...detail,
    ...(scheduleId !== undefined && { schedule_id: scheduleId }),
  })
}

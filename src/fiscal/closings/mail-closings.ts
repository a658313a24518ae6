import { audit } from '../access/audit-log.ts'
import { reachesCompany } from '../access/company-limit.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { OfficeMailing, WantedMail } from '../mail/office-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { OfficeMail } from '../ports/office-mail.ts'
import type { Keep } from '../sales/idempotency.ts'
import type { ClosingsWanted } from './closings.ts'

export type ClosingLetter = Pick<WantedMail, 'to' | 'subject' | 'text' | 'html' | 'files'>

/** Closings by mail. */
export interface ClosingMailUseCases {
  /** Whether a mail server is set. */
  isSet: boolean
  /**
   * Stores a mail with closings, which is sent within seconds. What is in it was read as the same principal.
   * @throws FiskError `insufficient_scope`, and what `OfficeMailing.queue` throws
   */
  send(
    principal: Principal,
    wanted: ClosingsWanted,
    letter: ClosingLetter,
    keep?: Keep<OfficeMail>,
  ): Promise<OfficeMail>
  /** The mails about a period that the principal may see: its own, and those about one of its companies. */
  sent(principal: Principal, wanted: ClosingsWanted): Promise<OfficeMail[]>
}

export function createClosingMails({ mails, clock }: { mails: OfficeMailing; clock: Clock }): ClosingMailUseCases {
  return {
    isSet: mails.isSet,
    async send(principal, wanted, letter, keep) {
      requireScope(principal, 'invoices:write')
      const { unit, starts, mode, companyId = null } = wanted
      const about = { kind: 'closings', about: aboutOf(wanted), companyId }
      return mails.queue(principal, { ...letter, ...about }, async (tx, mail) => {
        const detail = { unit, starts, mode, company_id: companyId, to: letter.to }
        await audit(tx, principal, clock.now(), 'closings.mailed', detail)
        await keep?.(tx, mail)
      })
    },
    async sent(principal, wanted) {
      requireScope(principal, 'invoices:read')
      const found = await mails.about(principal, aboutOf(wanted))
      return found.filter(
        ({ companyId, requestedBy }) => requestedBy === principal.id || reachesCompany(principal, companyId),
      )
    },
  }
}

const aboutOf = ({ unit, starts, mode }: ClosingsWanted) => `closings ${mode} ${unit} ${starts}`

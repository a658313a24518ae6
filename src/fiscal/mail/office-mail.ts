import type { Bound } from '../../domain/bound.ts'
import { conflict, FiskError, invalidRequest } from '../../domain/errors.ts'
import { HOUR_MS } from '../../domain/instant.ts'
import type { Principal } from '../access/principal.ts'
import { checkEmail } from '../access/users.ts'
import type { CreatingContext } from '../context.ts'
import type { MailFile, OfficeMail } from '../ports/mail.ts'
import type { Keep } from '../sales/idempotency.ts'
import { untried } from './send-due-mails.ts'

const REFUSED = '400 invalid_request'

export const OFFICE_MAIL_BOUNDS = {
  files: { most: 5, of: 'files of a mail', beyond: REFUSED },
  // What goes to a mail server within the 25 seconds that a mail may take.
  fileBytes: { most: 2 * 1024 * 1024, of: 'bytes of the files of a mail', beyond: REFUSED },
  text: { most: 100_000, of: 'characters of the text or HTML of a mail', beyond: REFUSED },
  subject: { most: 200, of: 'characters of the subject of a mail', beyond: REFUSED },
  hourly: { most: 60, of: 'mails that one asks for within an hour', beyond: '429 rate_limited' },
  waiting: { most: 200, of: 'mails of a tenant that wait to be sent', beyond: '429 rate_limited' },
} as const satisfies Record<string, Bound>

export interface WantedMail extends Pick<OfficeMail, 'subject' | 'text' | 'html' | 'kind' | 'about' | 'companyId'> {
  /** One address. */
  to: string
  files: readonly MailFile[]
  /** What makes it the same mail: a second one is not stored, and the first is returned. Without it all are new. */
  once?: string
}

type KeepMail = (...kept: [...Parameters<Keep<OfficeMail>>, isNew: boolean]) => Promise<void>

/** Who asks for a mail: a principal, or a schedule by its name. */
export type Requester = Pick<Principal, 'id' | 'tenantId'>

export interface OfficeMailDeps extends CreatingContext {
  isSet: boolean
  /** Begins to send at once. */
  onQueued: () => void
}

const MOST_SHOWN = 20
const RETRY_AFTER_S = 600

export type OfficeMailing = ReturnType<typeof createOfficeMailing>

/**
 * Mails with files that people or schedules ask for. A mail is stored first, sent within seconds, and tried again for
 * two days, over restarts and by whichever process of several runs.
 */
export function createOfficeMailing({ store, clock, newUuid, isSet, onQueued }: OfficeMailDeps) {
  return {
    /** Whether a mail server is set. Without one nothing can be asked for, and pages show no buttons. */
    isSet,
    /**
     * Stores a mail to be sent. The caller has checked what the requester may see.
     * @param keep joins the transaction that stores it, for an audit entry or the caller's own mark; it runs also when the
     *   mail was there already, which `isNew` says. It may refuse by throwing: nothing is stored then
     * @throws FiskError 409 `mail_not_set` without a mail server; 400 for a wrong address (parameter `to`), too many or too
     *   large files; 429 when too many mails wait, or were asked for within an hour
     */
    async queue({ id: requestedBy, tenantId }: Requester, { to, files, once, ...wanted }: WantedMail, keep?: KeepMail) {
      if (!isSet) throw conflict('to', 'no mail server is set: set FISKD_SMTP_URL and restart fiskd', 'mail_not_set')
      checkEmail(to, 'to')
      requireBounded({ ...wanted, files })
      const [id, now] = [newUuid(), clock.now()]
      const mail: OfficeMail = {
        id,
        tenantId,
        requestedBy,
        recipient: to,
        ...wanted,
        once: once ?? id,
        ...untried(now),
      }
      const stored = await store.transaction(async (tx) => {
        await tx.subjects.hold('mails')
        const earlier = once === undefined ? undefined : await tx.officeMails.byOnce(tenantId, once)
        if (!earlier) {
          const asked = await tx.officeMails.countSince(tenantId, requestedBy, now - HOUR_MS)
          if (asked >= OFFICE_MAIL_BOUNDS.hourly.most) throw tooMany('too many mails were asked for within an hour')
          const waiting = await tx.officeMails.countWaiting(tenantId)
          if (waiting >= OFFICE_MAIL_BOUNDS.waiting.most) throw tooMany('too many mails wait to be sent')
          await tx.officeMails.insert(mail, files)
        }
        await keep?.(tx, earlier ?? mail, earlier === undefined)
        return earlier ?? mail
      })
      onQueued()
      return stored
    },
    /** Mails about something, the latest first. They name addresses: the caller has checked who may see them. */
    about: ({ tenantId }: Requester, about: string): Promise<OfficeMail[]> =>
      store.officeMails.about(tenantId, about, MOST_SHOWN),
  }
}

function tooMany(message: string): FiskError {
  return new FiskError('rate_limited', message, {
    param: 'to',
    reason: 'mails_waiting',
    retryAfterS: RETRY_AFTER_S,
  })
}

function requireBounded({ subject, text, html, files }: Pick<WantedMail, 'subject' | 'text' | 'html' | 'files'>): void {
  const bounds = OFFICE_MAIL_BOUNDS
  // A line end would begin another header.
  if (subject.length > bounds.subject.most || /[\r\n]/.test(subject)) {
    throw invalidRequest('subject', `a subject is one line of at most ${bounds.subject.most} characters`)
  }
  if (Math.max(text.length, html.length) > bounds.text.most) throw invalidRequest('text', 'the mail is too long')
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  if (files.length > bounds.files.most || bytes > bounds.fileBytes.most) {
    throw invalidRequest('files', `a mail has at most ${bounds.files.most} files of 2 MB together`, 'mail_too_large')
  }
  const wrong = files.find(({ name }) => !/^[\w.-]{1,100}$/.test(name))
  if (wrong) throw invalidRequest('files', 'a file name has letters, digits, dots and hyphens only')
}

import { randomBytes } from 'node:crypto'
import { conflict, FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import { DAY_MS, type EpochMs, HOUR_MS } from '../../domain/instant.ts'
import { USER_NAME_LENGTH } from '../../domain/text-lengths.ts'
import { inBoth } from '../../domain/texts/in-both.ts'
import { letterHtml } from '../../domain/texts/letter-html.ts'
import type { CreatingContext } from '../context.ts'
import type { OfficeMailing, Requester, WantedMail } from '../mail/office-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { User } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Caller } from '../sales/caller.ts'
import type { Keep } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { NO_PASSWORD, newPasswordHash } from './passwords.ts'
import { type Principal, requireAllCompanies } from './principal.ts'
import { NO_SESSION, sessionHash } from './sessions.ts'
import { checkEmail, findResettable, insertUser, isInvited, type NewUser, newUser } from './users.ts'

const INVITED_FOR_MS = 7 * 24 * HOUR_MS
const RESET_FOR_MS = HOUR_MS
/** Nobody can fill the mailbox of a user, or the audit log, by asking in that user's name. */
const FORGOTTEN_EVERY_MS = 10 * 60_000

/** Where links lead to, before their token. */
export const PASSWORD_LINK_PATH = '/dashboard/password'

export type Invitation = Pick<NewUser, 'role' | 'companyIds' | 'language' | 'wantsMail'> & { email: string }

export type LinkLetter = (
  user: User,
  link: { url: string; expiresAt: EpochMs },
) => Pick<WantedMail, 'subject' | 'text' | 'html'>

export interface MadeLink {
  user: User
  /** What the link ends in, to be handed over; null when it was mailed. */
  token: string | null
}

export interface PasswordLinkDeps extends CreatingContext {
  mails: OfficeMailing
  /** Where the dashboard is, without a path. */
  dashboardUrl: string
  /** The network of a client; networks take turns. */
  networkOf: (address: string) => string
  /** A mail that could not be queued after an answer that does not tell of it. */
  onFault: (error: unknown) => void
}

export type PasswordLinkUseCases = ReturnType<typeof createPasswordLinks>

/**
 * Links with which users set a password without being signed in: invitations, and links for forgotten passwords. A link
 * is for one use and one user, whose next link replaces it; another password or mail address ends it. It goes to the
 * user's mail address; without one, or without a mail server, an admin hands it over.
 */
export function createPasswordLinks(deps: PasswordLinkDeps) {
  const { store, clock, newUuid, mails, dashboardUrl, networkOf, onFault } = deps
  const tellHolder = createTellHolder(deps)

  /** Stores the link with the work that it belongs to, and the mail when there is one. */
  async function deliver(
    by: Requester,
    user: User,
    letter: LinkLetter,
    work: (tx: StoreTransaction, made: MadeLink) => Promise<void>,
  ): Promise<MadeLink> {
    const token = randomBytes(32).toString('base64url')
    const createdAt = clock.now()
    const expiresAt = createdAt + (isInvited(user) ? INVITED_FOR_MS : RESET_FOR_MS)
    const to = mails.isSet ? user.email : null
    const made = { user, token: to === null ? token : null }
    const keep = async (tx: StoreTransaction) => {
      // After `mails`, which a mail that is queued holds already.
      await tx.subjects.hold('users')
      await work(tx, made)
      await tx.passwordLinks.put({ hash: sessionHash(token), userId: user.id, createdAt, expiresAt })
    }
    if (to === null) await store.transaction(keep)
    else {
      const url = `${dashboardUrl}${PASSWORD_LINK_PATH}/${token}`
      const mail = { ...letter(user, { url, expiresAt }), kind: 'password_link', about: user.id }
      await mails.queue(by, { to, ...mail, files: [], companyId: null }, keep)
    }
    return made
  }

  async function openIn(tx: StoreTransaction, token: string): Promise<User> {
    const link = await tx.passwordLinks.byHash(sessionHash(token))
    const user = link && link.expiresAt > clock.now() ? await tx.users.get(link.userId) : undefined
    if (!user) throw notFound('token', 'this link is used up, replaced or too old')
    return user
  }

  async function sendForgotten(name: string, address: string, letter: LinkLetter): Promise<void> {
    const user = await store.users.named(name.toLowerCase())
    if (!mails.isSet || !user?.email || user.isPlatformAdmin || isInvited(user)) return
    const now = clock.now()
    const isTooSoon = async (tx: StoreTransaction) => {
      const before = await tx.passwordLinks.of(user.id)
      return before !== undefined && Math.abs(now - before.createdAt) < FORGOTTEN_EVERY_MS
    }
    if (await isTooSoon(store)) return
    // Whoever asks has not proven to be that user.
    const nobody = { id: 'nobody', tenantId: user.tenantId }
    const detail = { ...nameOf(user), to: user.email, address }
    await deliver(user, user, letter, async (tx) => {
      // Several may have asked at once.
      if (await isTooSoon(tx)) throw ASKED_ALREADY
      await requireSame(tx, user)
      await audit(tx, nobody, now, 'user.link_sent', detail)
    })
  }

  return {
    canMail: mails.isSet,
    /**
     * Adds a user without a password, whose name is the mail address, and sends the first link.
     * @throws FiskError `invalid_request`, 409 for a name that the tenant has, and what `OfficeMailing.queue` throws
     */
    async invite(admin: Principal, { email, ...wanted }: Invitation, letter: LinkLetter, keep?: Keep<MadeLink>) {
      requireAllCompanies(admin)
      checkEmail(email)
      if (email.length > USER_NAME_LENGTH) throw invalidRequest('email', 'this address is too long for a user name')
      const fresh = { id: newUuid(), passwordHash: NO_PASSWORD, createdAt: clock.now() }
      const user = newUser(admin, { ...wanted, ...fresh, name: email, email, isPlatformAdmin: false })
      let holder: User | undefined
      const made = await deliver(admin, user, letter, async (tx, link) => {
        holder = await insertUser(tx, admin, user, 'user.invited')
        await keep?.(tx, link)
      })
      if (holder) tellHolder(holder)
      return made
    },
    /** Sends a user a new link. @throws FiskError as `AccountUseCases.reset`, and what `OfficeMailing.queue` throws */
    async send(admin: Principal, userId: string, letter: LinkLetter, keep?: Keep<MadeLink>): Promise<MadeLink> {
      const user = await findResettable(store, admin, userId)
      return deliver(admin, user, letter, async (tx, made) => {
        await requireSame(tx, user)
        const detail = { ...nameOf(user), to: made.token === null ? user.email : null }
        await audit(tx, admin, clock.now(), 'user.link_sent', detail)
        await keep?.(tx, made)
      })
    },
    /**
     * Mails a link to a user who asks for one without being signed in. Tells the caller nothing: that there is such a user
     * is not for everybody to know. None is sent to invited users, and none to platform administrators, whose address an
     * admin of their tenant could change.
     */
    forgotten(name: string, address: string, letter: LinkLetter): void {
      sendForgotten(name, address, letter).catch((error) => {
        if (error !== ASKED_ALREADY) onFault(error)
      })
    },
    /** For an admin: when the link of a user ends, and the mails with links, the latest first. */
    async sent(admin: Principal, user: User): Promise<{ expiresAt: EpochMs | null; mails: OfficeMail[] }> {
      requireAllCompanies(admin)
      const link = await store.passwordLinks.of(user.id)
      return { expiresAt: link?.expiresAt ?? null, mails: await mails.about(admin, user.id) }
    },
    /** Does not use the link up. @throws FiskError 404 for one that is used up, replaced or too old */
    open: (token: string): Promise<User> => openIn(store, token),
    /**
     * Uses the link up, and ends all sessions of its user. A second factor stays, and is asked for at the next sign-in.
     * @throws FiskError 404 as `open`, `invalid_request` for a short password, `rate_limited`
     */
    async setPassword(token: string, password: string, { address, signal }: Caller): Promise<User> {
      await openIn(store, token)
      const passwordHash = await newPasswordHash(password, { key: networkOf(address), signal })
      return store.transaction(async (tx) => {
        await tx.subjects.hold('users')
        const user = await openIn(tx, token)
        await tx.users.update(user.id, { passwordHash })
        await tx.sessions.removeOthers(user.id, NO_SESSION)
        await tx.passwordLinks.remove(user.id)
        await audit(tx, user, clock.now(), 'user.password_set', nameOf(user))
        return user
      })
    },
  }
}

/** Stops a mail that nobody is to hear of. */
const ASKED_ALREADY = new FiskError('rate_limited', 'a link was sent a moment ago')

/** A link for an earlier address or password would outlive that change. @throws FiskError 409 */
async function requireSame(tx: StoreTransaction, before: User): Promise<void> {
  const user = await tx.users.get(before.id)
  const isSame =
    user?.email === before.email && user.passwordHash === before.passwordHash && user.tenantId === before.tenantId
  if (!isSame) throw conflict('to', 'this user was changed at the same moment: try again')
}

const nameOf = ({ id, name }: User) => ({ id, name })

interface Deps {
  clock: Clock
  mails: OfficeMailing
  onFault: (error: unknown) => void
}

/**
 * Mails the user of another tenant whose name an admin has added, one mail a day at most: an admin may add and remove the
 * name again and again. Returns at once, for the admin must not learn of it.
 */
export function createTellHolder({ clock, mails, onFault }: Deps): (holder: User) => void {
  return (holder) => {
    const { id, name, email, language } = holder
    const to = email ?? name
    if (!mails.isSet || !to.includes('@')) return
    const t = LETTER[language]
    const paragraphs = [t.about(name), t.unchanged, t.next]
    const letter = { subject: t.subject, text: `${paragraphs.join('\n\n')}\n`, html: letterHtml(paragraphs) }
    const about = `name ${id}`
    const once = `${about} ${Math.floor(clock.now() / DAY_MS)}`
    mails.queue(holder, { to, ...letter, kind: 'name_added', about, once, files: [], companyId: null }).catch(onFault)
  }
}

const LETTER = inBoth({
  subject: {
    en: 'Your user name was added in another organisation',
    hr: 'Vaše korisničko ime dodano je u drugoj organizaciji',
  },
  about: {
    en: (name: string) =>
      `An administrator of another organisation on this fiskd server has added a user with your user name: ${name}`,
    hr: (name: string) =>
      `Administrator druge organizacije na ovom poslužitelju fiskd dodao je korisnika s Vašim korisničkim imenom: ${name}`,
  },
  unchanged: {
    en: 'Your account has not changed. A user name belongs to one account only, so nobody can sign in to the other organisation with it.',
    hr: 'Vaš se račun nije promijenio. Korisničko ime pripada samo jednom računu, pa se u drugu organizaciju njime nitko ne može prijaviti.',
  },
  next: {
    en: 'If you work for that organisation too, ask there for another user name. If you did not expect this, tell your administrator.',
    hr: 'Ako radite i za tu organizaciju, zatražite ondje drugo korisničko ime. Ako ovo niste očekivali, javite se svom administratoru.',
  },
})

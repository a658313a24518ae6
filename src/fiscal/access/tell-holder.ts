import { DAY_MS } from '../../domain/calendar-date.ts'
import { inBoth } from '../../domain/texts/in-both.ts'
import { letterHtml } from '../../domain/texts/letter-html.ts'
import type { OfficeMailing } from '../mail/office-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { User } from '../ports/model.ts'

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

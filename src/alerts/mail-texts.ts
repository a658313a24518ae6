import type { Severity } from '../domain/alert.ts'
import { plural } from '../domain/texts/plural.ts'
import type { Language } from '../fiscal/ports/model.ts'

/** The fixed texts of mails. What an alert itself says stands in src/domain/alert-texts: pages say the same. */
interface Phrases {
  urgent: string
  headings: Record<Severity, string>
  /** The suffix of a subject after the title of the first alert. */
  andMore(others: number): string
  moreOfThese(others: number): string
  since: string
  gateway: string
  todo: string
  open: string
  all: string
  why(host: string): string
  testSubject: string
  test(host: string, at: string): string
}

const croatianAlerts = (n: number) => `${n} ${plural(n, 'upozorenje', 'upozorenja', 'upozorenja')}`
const alerts = (n: number) => `${n} more ${n === 1 ? 'alert' : 'alerts'}`

export const PHRASES: Record<Language, Phrases> = {
  hr: {
    urgent: 'HITNO: ',
    headings: { urgent: 'Hitno', warning: 'Upozorenje', info: 'Obavijest' },
    andMore: (others) => ` i još ${croatianAlerts(others)}`,
    moreOfThese: (others) => `I još ${croatianAlerts(others)} iste vrste.`,
    since: 'Od',
    gateway: 'Pristupnik',
    todo: 'Što učiniti',
    open: 'Otvorite upozorenje',
    all: 'Sva upozorenja',
    why: (host) =>
      `Poruku je automatski poslao fiskd (${host}). Ne odgovarajte na nju. ` +
      'Primanje poruka možete isključiti na stranici Moj profil.',
    testSubject: 'Probna poruka',
    test: (host, at) =>
      `Ovo je probna poruka koju je fiskd (${host}) poslao ${at}. Upozorenja će stizati na ovu adresu.`,
  },
  en: {
    urgent: 'URGENT: ',
    headings: { urgent: 'Urgent', warning: 'Warning', info: 'Notice' },
    andMore: (others) => ` and ${alerts(others)}`,
    moreOfThese: (others) => `And ${alerts(others)} of this kind.`,
    since: 'Since',
    gateway: 'Gateway',
    todo: 'What to do',
    open: 'Open the alert',
    all: 'All alerts',
    why: (host) =>
      `fiskd (${host}) sent this e-mail automatically. Please do not reply to it. ` +
      'You can switch these e-mails off on the page My account.',
    testSubject: 'Test e-mail',
    test: (host, at) =>
      `This is a test e-mail that fiskd (${host}) sent on ${at}. Alerts will be sent to this address.`,
  },
}

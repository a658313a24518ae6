import type { AlertFacts, InLanguages, WordsOfKinds } from './alert-facts.ts'

export const mailWords = {
  closings_not_mailed: {
    hr: (facts) => ({
      title: `Zaključci nisu poslani e-poštom (${facts.text('recipient')})`,
      what: lasting(NOT_MAILED.hr, facts) ?? `Poslužitelj e-pošte odgovorio je: ${facts.text('answer')}`,
      todo: `Na stranici Zaključci otvorite Redovito slanje, ispravite podatke i spremite.${isGivenUp(facts) ? ' Poruku koja nije stigla ponovno pošaljite sa stranice Zaključci.' : ''}`,
    }),
    en: (facts) => ({
      title: `Closings were not mailed (${facts.text('recipient')})`,
      what: lasting(NOT_MAILED.en, facts) ?? `The mail server said: ${facts.text('answer')}`,
      todo: `Open Regular mailing on the page Closings, correct what is wrong, and save it.${isGivenUp(facts) ? ' Send the mail that did not arrive again from the page Closings.' : ''}`,
    }),
  },
  mail_failed: {
    hr: (facts) => ({
      title: `E-pošta se ne može poslati (${facts.text('recipient')})`,
      what: `Upozorenja se nisu mogla poslati na adresu ${facts.text('recipient')}. Odgovor poslužitelja e-pošte: ${facts.text('answer')}`,
      todo: 'Provjerite adresu. Ako je točna, zamolite tehničara da provjeri postavljeni poslužitelj e-pošte.',
    }),
    en: (facts) => ({
      title: `Mails do not arrive (${facts.text('recipient')})`,
      what: `Alerts could not be mailed to ${facts.text('recipient')}. The mail server said: ${facts.text('answer')}`,
      todo: 'Check the address. If it is right, have your technician check the mail server that is set.',
    }),
  },
} satisfies Partial<WordsOfKinds>

const NOT_MAILED: InLanguages<Record<string, string>> = {
  hr: {
    not_allowed:
      'Korisnik koji je postavio slanje uklonjen je ili za to više nema ovlasti. Dok se postavke ponovno ne spreme, ne šalje se ništa.',
    overdue: 'Poruka je trebala biti poslana prije više od 12 sati. Razlog piše u zapisniku programa fiskd.',
    mail_too_large: 'Datoteka je prevelika za jednu poruku. Postavite slanje za svaku tvrtku zasebno.',
  },
  en: {
    not_allowed:
      'The user who set it up was removed, or may not send it any more. Nothing is sent until somebody saves it again.',
    overdue: 'The mail should have been sent more than 12 hours ago. The log of fiskd says why it was not.',
    mail_too_large: 'The file is too large for one mail. Set it up for each company by itself.',
  },
}

const isGivenUp = (facts: AlertFacts) => facts.text('reason') === 'given_up'

/** Undefined for what the mail server alone has said. */
const lasting = (reasons: Record<string, string>, facts: AlertFacts) => {
  const reason = facts.text('reason')
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
}

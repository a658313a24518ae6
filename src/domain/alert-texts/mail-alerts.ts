import type { AlertFacts, InLanguages, WordsOfKinds } from './alert-facts.ts'

export const mailWords = {
  closings_not_mailed: {
    hr: (facts) => ({
      title: `Zaključci nisu poslani e-poštom (${facts.text('recipient')})`,
      what: lasting(NOT_MAILED.hr, facts) ?? `Poslužitelj e-pošte odgovorio je: ${facts.text('answer')}`,
      todo: `Na stranici Zaključci otvorite Redovito slanje, ispravite podatke i spremite.${isGivenUp(facts) ? ` Sa stranice Zaključci ponovno pošaljite ono što nije stiglo (ukupno poruka: ${facts.count}, posljednja: ${facts.text('latest')}) ili potvrdite upozorenje.` : ''}`,
    }),
    en: (facts) => ({
      title: `Closings were not sent by e-mail (${facts.text('recipient')})`,
      what: lasting(NOT_MAILED.en, facts) ?? `The mail server answered: ${facts.text('answer')}`,
      todo: `Open Regular mailing on the page Closings, correct what is wrong, and save it.${isGivenUp(facts) ? ` Then send again from the page Closings what did not arrive (e-mails: ${facts.count}, the latest: ${facts.text('latest')}), or acknowledge the alert.` : ''}`,
    }),
  },
  mail_failed: {
    hr: (facts) => ({
      title: `E-pošta se ne može poslati (${facts.text('recipient')})`,
      what: `Upozorenja se nisu mogla poslati na adresu ${facts.text('recipient')}. Odgovor poslužitelja e-pošte: ${facts.text('answer')}`,
      todo: 'Provjerite adresu. Ako je točna, zamolite tehničara da provjeri postavljeni poslužitelj e-pošte.',
    }),
    en: (facts) => ({
      title: `E-mails cannot be sent (${facts.text('recipient')})`,
      what: `Alerts could not be sent by e-mail to ${facts.text('recipient')}. The mail server answered: ${facts.text('answer')}`,
      todo: 'Check the address. If it is right, have your technician check the settings of the mail server.',
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
      'The user who set up this mailing was removed, or may no longer send it. Nothing is sent until a user who may send it saves it again.',
    overdue: 'The e-mail should have been sent more than 12 hours ago. The log of fiskd says why it was not.',
    mail_too_large: 'The file is too large for one e-mail. Set up a separate mailing for each company.',
  },
}

const isGivenUp = (facts: AlertFacts) => facts.text('reason') === 'given_up'

/** Undefined for what the mail server alone has said. */
const lasting = (reasons: Record<string, string>, facts: AlertFacts) => {
  const reason = facts.text('reason')
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
}

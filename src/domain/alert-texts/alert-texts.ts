import { isAlertKind, isOfferWithdrawn } from '../alert.ts'
import {
  type AlertFacts,
  type AlertWords,
  factsOf,
  type InLanguages,
  type WordsOfKind,
  type WordsOfKinds,
} from './alert-facts.ts'
import { invoiceWords } from './invoice-alerts.ts'
import { machineWords } from './machine-alerts.ts'
import { numberWords } from './number-alerts.ts'

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

const endsWithin = (days: InLanguages<string>): WordsOfKind => ({
  hr: ({ company, notAfter }) => ({
    title: `Certifikat istječe za manje od ${days.hr} (${company})`,
    what: `Certifikat tvrtke ${company} vrijedi do ${notAfter}. Bez valjanog certifikata njezini uređaji ne mogu prodavati.`,
    todo: 'Odmah zatražite novi certifikat od Fine jer izdavanje može potrajati. Zatim ga učitajte na stranici Tvrtke.',
  }),
  en: ({ company, notAfter }) => ({
    title: `A certificate expires within ${days.en} (${company})`,
    what: `The certificate of ${company} is valid until ${notAfter}. Without a valid one its devices cannot sell.`,
    todo: 'Order a new certificate from Fina now; it may take some days. Then upload it on the page Companies.',
  }),
})

const WORDS: WordsOfKinds = {
  ...invoiceWords,
  certificate_60: endsWithin({ hr: '60 dana', en: '60 days' }),
  certificate_30: endsWithin({ hr: '30 dana', en: '30 days' }),
  certificate_14: endsWithin({ hr: '14 dana', en: '14 days' }),
  certificate_7: endsWithin({ hr: '7 dana', en: '7 days' }),
  certificate_1: endsWithin({ hr: 'jednog dana', en: 'one day' }),
  certificate_expired: {
    hr: (facts) => ({
      title: `Certifikat je istekao (${facts.company})`,
      what: `Certifikat tvrtke ${facts.company} istekao je ${facts.notAfter}. Uređaji te tvrtke ne mogu prodavati, a računi bez JIR-a ne mogu se potvrditi.`,
      todo: 'Učitajte novi certifikat na stranici Tvrtke. Računi koji čekaju zatim se šalju automatski.',
    }),
    en: (facts) => ({
      title: `A certificate has expired (${facts.company})`,
      what: `The certificate of ${facts.company} expired on ${facts.notAfter}. Devices of this company cannot sell, and its invoices without a JIR cannot be confirmed.`,
      todo: 'Upload a new certificate on the page Companies. Waiting invoices are then sent automatically.',
    }),
  },
  ...numberWords,
  gateway_silent: {
    hr: (facts) => ({
      title: `Pristupnik se ne javlja (${facts.gateway})`,
      what:
        `Pristupnik ${facts.gateway} ne javlja se dulje od 15 minuta. Možda i dalje prodaje.` +
        (facts.number('without_jir') > 0
          ? ` Računi tog pristupnika koje Porezna uprava još nije potvrdila: ${facts.number('without_jir')}. Rok za njihovu dostavu teče.`
          : ''),
      todo: 'Provjerite ima li ondje struje i interneta.',
    }),
    en: (facts) => ({
      title: `A gateway is silent (${facts.gateway})`,
      what:
        `The gateway ${facts.gateway} has not reported for more than 15 minutes. It may still be selling.` +
        (facts.number('without_jir') > 0
          ? ` Its invoices without a JIR: ${facts.number('without_jir')}. The deadline to deliver them continues to run.`
          : ''),
      todo: 'Check whether there is power and an internet connection there.',
    }),
  },
  gateway_duplicated: {
    hr: ({ gateway }) => ({
      title: `Dva računala predstavljaju se kao isti pristupnik (${gateway})`,
      what: `Dva se računala predstavljaju kao pristupnik ${gateway}. Podaci se ne primaju ni od jednog.`,
      todo: 'Zamolite tehničara da jedno isključi, a drugo ponovno poveže.',
    }),
    en: ({ gateway }) => ({
      title: `Two computers use the identity of one gateway (${gateway})`,
      what: `Two computers use the identity of the gateway ${gateway}. No data are accepted from either of them.`,
      todo: 'Have your technician switch one of them off and connect the other one again.',
    }),
  },
  command_lapsed: {
    hr: (facts) => ({
      title: `Naredbe pristupniku su istekle (${facts.gateway})`,
      what: `Pristupnik ${facts.gateway} nije na vrijeme preuzeo naredbe, pa na njemu ništa nije promijenjeno. Naredbe: ${facts.number('commands')}.`,
      todo: 'Otvorite taj pristupnik na stranici Pristupnici i ponovno pošaljite ono što i dalje treba.',
    }),
    en: (facts) => ({
      title: `Commands to a gateway have expired (${facts.gateway})`,
      what: `The gateway ${facts.gateway} did not fetch commands in time, and nothing has changed there. Commands: ${facts.number('commands')}.`,
      todo: 'Open the gateway on the page Gateways, and send again what is still wanted.',
    }),
  },
  sync_refused: {
    hr: ({ gateway }) => ({
      title: `Zapisi pristupnika su odbijeni (${gateway})`,
      what: `Dio podataka koje je poslao pristupnik ${gateway} ovdje se nije mogao spremiti. Na pristupniku su ti podaci sačuvani.`,
      todo: 'Otvorite taj pristupnik na stranici Pristupnici: ondje piše koji su to zapisi i zašto, ili gdje su navedeni.',
    }),
    en: ({ gateway }) => ({
      title: `Records of a gateway were refused (${gateway})`,
      what: `Some records that the gateway ${gateway} sent could not be stored here. The gateway still has them.`,
      todo: 'Open the gateway on the page Gateways: it says which records they are and why, or where that is listed.',
    }),
  },
  ...machineWords,
  closings_not_mailed: {
    hr: (facts) => ({
      title: `Zaključci nisu poslani e-poštom (${facts.text('recipient')})`,
      what: lasting(NOT_MAILED.hr, facts) ?? `Poslužitelj e-pošte odgovorio je: ${facts.text('answer')}`,
      todo: `Na stranici Zaključci prometa otvorite Redovito slanje, ispravite podatke i spremite.${isGivenUp(facts) ? ` Sa stranice Zaključci prometa ponovno pošaljite ono što nije stiglo (ukupno poruka: ${facts.count}, posljednja: ${facts.text('latest')}) ili upozorenje primite na znanje.` : ''}`,
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
}

const OF_UNKNOWN_KIND: InLanguages<AlertWords> = {
  hr: {
    title: 'Nešto zahtijeva pozornost',
    what: 'Novija inačica programa fiskd javila je nešto za što ova još nema tekst.',
    todo: 'Pogledajte pojedinosti u upozorenju i ažurirajte fiskd na ovom računalu.',
  },
  en: {
    title: 'Something needs attention',
    what: 'A newer version of fiskd has reported an alert that this version does not know.',
    todo: 'Open the alert to see its details, and update fiskd on this computer.',
  },
}

/** The words of an alert in a language, as plain text: escape them for markup. */
export function alertWords(
  alert: { kind: string; detail: Readonly<Record<string, unknown>> },
  language: keyof InLanguages<unknown>,
): AlertWords {
  const kind = isOfferWithdrawn(alert) ? 'invoices_failed' : alert.kind
  return isAlertKind(kind) ? WORDS[kind][language](factsOf(alert.detail, language)) : OF_UNKNOWN_KIND[language]
}

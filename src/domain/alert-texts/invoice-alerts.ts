import { explainCodes } from '../sale/refusal.ts'
import { findingAdvice, findingText } from '../texts/finding-texts.ts'
import { EXTENDED_WORKING_DAYS } from '../working-days.ts'
import {
  type AlertFacts,
  type InLanguages,
  isLost,
  noteOfTest,
  salesOf,
  type WordsOfKind,
  type WordsOfKinds,
} from './alert-facts.ts'

/** What the legal deadline is, and what it counts from. */
const legalOf: InLanguages<(facts: AlertFacts) => string> = {
  hr: (facts) => {
    const days = facts.number('working_days') === EXTENDED_WORKING_DAYS ? 'pet radnih dana' : 'dva radna dana'
    return facts.since === '-'
      ? ` Zakonski rok je ${days}.`
      : ` Porezna uprava nije bila dostupna od ${facts.since}. Zakonski rok je ${days} od tog dana.`
  },
  en: (facts) => {
    const days = facts.number('working_days') === EXTENDED_WORKING_DAYS ? 'five working days' : 'two working days'
    return facts.since === '-'
      ? ` The legal deadline is ${days}.`
      : ` The tax authority was not reached from ${facts.since} on. The legal deadline is ${days} from that day.`
  },
}

/** @param titles without the company @param addition to what is said of the deadline */
const unconfirmed = (titles: InLanguages<string>, addition?: typeof legalOf): WordsOfKind => ({
  hr: (facts) => ({
    title: `${titles.hr} (${salesOf(facts)})`,
    what:
      `Porezna uprava još nije potvrdila račune. Ukupno računa: ${facts.count}. Najstariji je izdan ${facts.oldestAt}. ` +
      `Porezna uprava prima ga do ${facts.deadlineAt}, a poslije više ne.${addition?.hr(facts) ?? ''}${noteOfTest.hr(facts)}`,
    todo:
      'Uređaji prodaju i dalje, a računi koji čekaju ponovno se šalju automatski. Provjerite internetsku vezu uređaja. ' +
      'Zatim otvorite račune iz ovog upozorenja: na svakom piše zašto nema JIR.',
  }),
  en: (facts) => ({
    title: `${titles.en} (${salesOf(facts)})`,
    what:
      `Invoices that the tax authority has not confirmed yet: ${facts.count}. ` +
      `The oldest one was issued on ${facts.oldestAt}. ` +
      `The tax authority accepts it until ${facts.deadlineAt} at the latest.${addition?.en(facts) ?? ''}${noteOfTest.en(facts)}`,
    todo:
      'Devices continue to sell, and waiting invoices are sent again automatically. Check their internet connection. ' +
      'Then open the invoices of this alert: each of them shows why it has no JIR.',
  }),
})

/** @param said in that language: `cause` is before a code without a text, `usual` what to do about most codes */
function failed(
  language: keyof WordsOfKind,
  said: { title: string; what: (facts: AlertFacts) => string; cause: string; usual: string },
): WordsOfKind['hr'] {
  return (facts) => {
    const code = facts.text('code')
    const explained = explainCodes(facts.restrictiveCodes, language, 'office')
    const causes = [
      CAUSES[language][code] ?? `${said.cause}: ${code}.`,
      ...explained.map(({ label, means }) => `${label}: ${means}`),
    ]
    const todo = explained.map(({ label, fix }) => `${label}: ${fix}`)
    if (!isLost(facts)) todo.push(USUAL_TODO[language][code] ?? said.usual)
    return {
      title: `${said.title} (${salesOf(facts)})`,
      what: said.what(facts) + causes.join(' ') + noteOfTest[language](facts),
      todo: todo.join(' '),
    }
  }
}

export const invoiceWords = {
  unconfirmed_legal: unconfirmed(
    { hr: 'Računi bez JIR-a nakon zakonskog roka', en: 'Invoices without JIR after the legal deadline' },
    legalOf,
  ),
  unconfirmed_21: unconfirmed({ hr: 'Računi bez JIR-a već 21 dan', en: 'Invoices without JIR for 21 days' }),
  unconfirmed_25: unconfirmed(
    { hr: 'Računi bez JIR-a već 25 dana', en: 'Invoices without JIR for 25 days' },
    { hr: () => ' Ostaje najviše pet dana.', en: () => ' Five days are left at most.' },
  ),
  unconfirmed_28: unconfirmed(
    { hr: 'Računi bez JIR-a već 28 dana', en: 'Invoices without JIR for 28 days' },
    { hr: () => ' Ostaju najviše dva dana.', en: () => ' Two days are left at most.' },
  ),
  invoices_expired: {
    hr: (facts) => ({
      title: `Računi bez JIR-a, rok istekao (${salesOf(facts)})`,
      what:
        `Porezna uprava nije potvrdila račune u roku od 30 dana i više ih ne prima. Ukupno računa: ${facts.count}.` +
        noteOfTest.hr(facts),
      todo: 'Dogovorite s knjigovođom kako prijaviti prodaju. Zatim ovo upozorenje primite na znanje: ne zatvara se automatski.',
    }),
    en: (facts) => ({
      title: `Invoices without JIR, expired (${salesOf(facts)})`,
      what:
        `Invoices that were not confirmed within 30 days and that the tax authority no longer accepts: ${facts.count}.` +
        noteOfTest.en(facts),
      todo: 'Ask your accountant how to report such sales. Then acknowledge this alert: it does not close automatically.',
    }),
  },
  invoices_failed: {
    hr: failed('hr', {
      title: 'Računi su odbijeni',
      what: ({ count, oldestAt, deadlineAt }) =>
        `Računi nemaju JIR i ne šalju se ponovno automatski. Ukupno računa: ${count}. ` +
        `Najstariji je izdan ${oldestAt} i može se potvrditi do ${deadlineAt}. `,
      cause: 'Oznaka uzroka',
      usual: 'Otvorite jedan od računa kako biste vidjeli uzrok, otklonite ga i zatim odaberite „Pošalji ponovno”.',
    }),
    en: failed('en', {
      title: 'Invoices were refused',
      what: ({ count, oldestAt, deadlineAt }) =>
        `Refused invoices that are not sent again automatically: ${count}. ` +
        `The oldest one was issued on ${oldestAt} and can be confirmed until ${deadlineAt}. `,
      cause: 'Code of the cause',
      usual: 'Open one of the invoices to see the cause. Remove the cause, and then choose “Send again”.',
    }),
  },
  sale_findings: {
    hr: (facts) => ({
      title: `Pogreške u računima (${facts.device})`,
      what:
        `U barem tri od posljednjih deset računa uređaja ${facts.device} ista je pogreška. ${foundIn.hr(facts)}` +
        `Računi su valjani i ne mijenjaju se, ali Porezna uprava otkriva takve pogreške naknadno.${noteOfTest.hr(facts)}`,
      todo:
        `${adviceOf(facts).hr} `.trimStart() +
        'Upozorenje se zatvara kad pogreška bude u manje od tri od posljednjih deset računa.',
    }),
    en: (facts) => ({
      title: `Mistakes in sales (${facts.device})`,
      what:
        `At least three of the latest ten sales of ${facts.device} have the same mistake. ${foundIn.en(facts)}` +
        `The sales are valid and stay as they are, but the tax authority finds such mistakes afterwards.${noteOfTest.en(facts)}`,
      todo: `${adviceOf(facts).en} The alert closes when fewer than three of the latest ten sales have the mistake.`.trimStart(),
    }),
  },
  answers_believed: {
    hr: (facts) => ({
      title: `Računi se mogu ponovno poslati (${salesOf(facts)})`,
      what:
        'Odgovorima Porezne uprave opet se može vjerovati. Računi na koje je stigao nepouzdan odgovor čekaju da ih netko ' +
        `pošalje. Ukupno računa: ${facts.count}. Najstariji je izdan ${facts.oldestAt} i može se potvrditi do ` +
        `${facts.deadlineAt}.${noteOfTest.hr(facts)}`,
      todo: 'Odaberite „Pošalji sve ponovno”: jednim se klikom šalju svi, a prodaja se za to vrijeme nastavlja.',
    }),
    en: (facts) => ({
      title: `Invoices can be sent again (${salesOf(facts)})`,
      what:
        'The answers of the tax authority can be trusted again. Invoices that got an untrusted answer wait for ' +
        `a user to send them: ${facts.count}. The oldest one was issued on ${facts.oldestAt} and can be confirmed until ` +
        `${facts.deadlineAt}.${noteOfTest.en(facts)}`,
      todo: 'Choose “Send all again”. Devices continue to sell in the meantime.',
    }),
  },
} satisfies Partial<WordsOfKinds>

const foundIn: InLanguages<(facts: AlertFacts) => string> = {
  hr: ({ findings }) => findings.map((code) => `${code}: ${findingText(code).hr}. `).join(''),
  en: ({ findings }) => findings.map((code) => `${code}: ${findingText(code).en}. `).join(''),
}

const adviceOf = ({ findings, is, company }: AlertFacts) =>
  findingAdvice(findings, is('taxes_whole_total') ? company : undefined)

const CAUSES: InLanguages<Record<string, string>> = {
  hr: {
    upstream_rejected: 'Porezna uprava ih je odbila.',
    upstream_signature_invalid: 'Nije dokazano da je odgovor stigao od Porezne uprave.',
    'hr.certificate_oib_mismatch': 'Certifikat ne pripada ovoj tvrtki.',
    certificate_expired: 'Certifikat tvrtke je istekao.',
    company_missing_certificate: 'Tvrtka nema certifikat.',
  },
  en: {
    upstream_rejected: 'The tax authority refused them.',
    upstream_signature_invalid: 'It is not proven that the answers came from the tax authority.',
    'hr.certificate_oib_mismatch': 'The certificate does not belong to this company.',
    certificate_expired: 'The certificate of the company has expired.',
    company_missing_certificate: 'The company has no certificate.',
  },
}

const USUAL_TODO: InLanguages<Record<string, string>> = {
  hr: {
    upstream_signature_invalid:
      'Zamolite tehničara da na računalu pokrene „fisk doctor”: ondje piše što s odgovorima nije u redu. Čim im se opet bude ' +
      'moglo vjerovati, stići će nova obavijest, a svi se ti računi tada šalju jednim klikom.',
  },
  en: {
    upstream_signature_invalid:
      'Have your technician run “fisk doctor” on the computer: it shows what is wrong with the answers. As soon as they can be ' +
      'trusted again, you get an alert, and can send all of these invoices at once.',
  },
}

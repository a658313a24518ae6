import type { InLanguages, WordsOfKind, WordsOfKinds } from './alert-facts.ts'

/** @param titles without the company */
const endsWithin = (titles: InLanguages<string>): WordsOfKind => ({
  hr: ({ company, notAfter }) => ({
    title: `${titles.hr} (${company})`,
    what: `Certifikat tvrtke ${company} vrijedi do ${notAfter}. Bez valjanog certifikata njezini uređaji ne mogu prodavati.`,
    todo: 'Odmah zatražite novi certifikat od Fine jer izdavanje može potrajati. Zatim ga učitajte na stranici Tvrtke.',
  }),
  en: ({ company, notAfter }) => ({
    title: `${titles.en} (${company})`,
    what: `The certificate of ${company} is valid until ${notAfter}. Without a valid one its devices cannot sell.`,
    todo: 'Order a new certificate from Fina now; it may take some days. Then upload it on the page Companies.',
  }),
})

/** Certificates that end. */
export const certificateWords = {
  certificate_60: endsWithin({
    hr: 'Certifikat istječe za manje od 60 dana',
    en: 'A certificate expires within 60 days',
  }),
  certificate_30: endsWithin({
    hr: 'Certifikat istječe za manje od 30 dana',
    en: 'A certificate expires within 30 days',
  }),
  certificate_14: endsWithin({
    hr: 'Certifikat istječe za manje od 14 dana',
    en: 'A certificate expires within 14 days',
  }),
  certificate_7: endsWithin({ hr: 'Certifikat istječe za manje od 7 dana', en: 'A certificate expires within 7 days' }),
  certificate_1: endsWithin({
    hr: 'Certifikat istječe za manje od jednog dana',
    en: 'A certificate expires within one day',
  }),
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
} satisfies Partial<WordsOfKinds>

import { inBoth } from '../../domain/texts/in-both.ts'

/** What the pages of error codes say around the words of a code. */
export const ERROR_PAGE_WORDS = inBoth({
  reference: { en: 'API reference', hr: 'Opis API-ja' },
  index: { en: 'Error codes', hr: 'Šifre pogrešaka' },
  other: {
    language: { en: 'hr', hr: 'en' },
    name: { en: 'Hrvatski', hr: 'English' },
  },
  inError: { en: 'In', hr: 'U polju' },
  /** Of the request, after a status below 500; the next one after another status. */
  notDone: { en: 'This request was not carried out.', hr: 'Zahtjev nije izvršen.' },
  notKnown: {
    en: 'It is not known whether the request was carried out: repeat it to find out.',
    hr: 'Nije poznato je li zahtjev izvršen: ponovite ga i odgovor će to pokazati.',
  },
  inFiscalError: {
    en: 'In <code>fiscal_error.code</code> of an invoice, HTTP 200. <strong>The sale is valid:</strong> print the receipt without a JIR.',
    hr: 'U polju <code>fiscal_error.code</code> računa, HTTP 200. <strong>Prodaja je valjana:</strong> ispišite račun bez JIR-a.',
  },
  means: { en: 'What it means', hr: 'Što se dogodilo' },
  fix: { en: 'What to do', hr: 'Što učiniti' },
  again: { en: 'Send it again?', hr: 'Poslati ponovno?' },
  againAnswers: {
    no: {
      en: 'No, not without a change: the answer would be the same.',
      hr: 'Ne, ako zahtjev nije promijenjen: odgovor bi bio isti.',
    },
    later: {
      en:
        'Once the cause is removed, yes: the same bytes. The refused request has not used up the `Idempotency-Key`, and a sale that ' +
        'happened has to be reported.',
      hr:
        'Da, kad se uzrok otkloni: isti sadržaj bajt po bajt. Odbijanje nije potrošilo `Idempotency-Key`, a obavljenu prodaju treba ' +
        'prijaviti.',
    },
    yes: {
      en: 'Yes, the same bytes with the same `Idempotency-Key`: nothing is ever done twice.',
      hr: 'Da, isti sadržaj s istim `Idempotency-Key`: ništa se ne izvršava dvaput.',
    },
  },
  sendsItself: {
    en: 'No: fiskd sends it again automatically as long as `retry_scheduled` is true.',
    hr: 'Ne: fiskd ga šalje automatski dok je `retry_scheduled` jednak true.',
  },
  retry: {
    en: 'Do not send the sale again, it is already stored. Call `POST /v1/invoices/{id}/retry` once the cause is removed.',
    hr: 'Ne, jer račun već postoji. Kad se uzrok otkloni, pošaljite `POST /v1/invoices/{id}/retry`.',
  },
  restrictive: { en: 'Restrictive errors (s013)', hr: 'Pogreške u podacima računa (s013)' },
  inMessage: { en: 'In <code>message</code>', hr: 'U polju <code>message</code>' },
})

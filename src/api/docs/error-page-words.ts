import type { Again } from '../../domain/errors.ts'
import type { Language } from '../../fiscal/ports/model.ts'

/** What the pages of error codes say around the words of a code. */
interface ErrorPageWords {
  reference: string
  index: string
  other: { language: Language; name: string }
  inError: string
  /** Of the request, after a status below 500 and after another one. */
  notDone: string
  notKnown: string
  inFiscalError: string
  means: string
  fix: string
  again: string
  againAnswers: Record<Again, string>
  sendsItself: string
  retry: string
  restrictive: string
  inMessage: string
}

export const ERROR_PAGE_WORDS: Record<Language, ErrorPageWords> = {
  en: {
    reference: 'API reference',
    index: 'Error codes',
    other: { language: 'hr', name: 'Hrvatski' },
    inError: 'In',
    notDone: 'This request was not carried out.',
    notKnown: 'It is not known whether the request was carried out: repeat it to find out.',
    inFiscalError:
      'In <code>fiscal_error.code</code> of an invoice, HTTP 200. <strong>The sale is valid:</strong> print the receipt without a JIR.',
    means: 'What it means',
    fix: 'What to do',
    again: 'Send it again?',
    againAnswers: {
      no: 'No, not without a change: the answer would be the same.',
      later:
        'Once the cause is removed, yes: the same bytes. The refused request has not used up the `Idempotency-Key`, and a sale that ' +
        'happened has to be reported.',
      yes: 'Yes, the same bytes with the same `Idempotency-Key`: nothing is ever done twice.',
    },
    sendsItself: 'No: fiskd sends it again automatically as long as `retry_scheduled` is true.',
    retry:
      'Do not send the sale again, it is already stored. Call `POST /v1/invoices/{id}/retry` once the cause is removed.',
    restrictive: 'Restrictive errors (s013)',
    inMessage: 'In <code>message</code>',
  },
  hr: {
    reference: 'Opis API-ja',
    index: 'Šifre pogrešaka',
    other: { language: 'en', name: 'English' },
    inError: 'U polju',
    notDone: 'Zahtjev nije izvršen.',
    notKnown: 'Nije poznato je li zahtjev izvršen: ponovite ga i odgovor će to pokazati.',
    inFiscalError:
      'U polju <code>fiscal_error.code</code> računa, HTTP 200. <strong>Prodaja je valjana:</strong> ispišite račun bez JIR-a.',
    means: 'Što se dogodilo',
    fix: 'Što učiniti',
    again: 'Poslati ponovno?',
    againAnswers: {
      no: 'Ne, ako zahtjev nije promijenjen: odgovor bi bio isti.',
      later:
        'Da, kad se uzrok otkloni: isti sadržaj bajt po bajt. Odbijanje nije potrošilo `Idempotency-Key`, a obavljenu prodaju treba ' +
        'prijaviti.',
      yes: 'Da, isti sadržaj s istim `Idempotency-Key`: ništa se ne izvršava dvaput.',
    },
    sendsItself: 'Ne: fiskd ga šalje sam dok je `retry_scheduled` jednak true.',
    retry: 'Ne, jer račun već postoji. Kad se uzrok otkloni, pošaljite `POST /v1/invoices/{id}/retry`.',
    restrictive: 'Pogreške u podacima računa (s013)',
    inMessage: 'U polju <code>message</code>',
  },
}

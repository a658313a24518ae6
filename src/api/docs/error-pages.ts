import { createHash } from 'node:crypto'
import { ERRORS, type ErrorCode, typeOf } from '../../domain/errors.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../../domain/sale/refusal.ts'
import { CROATIAN_ERRORS, CROATIAN_FISCAL_ERRORS } from '../../domain/texts/error-texts.ts'
import { inBoth } from '../../domain/texts/in-both.ts'
import type { Language } from '../../fiscal/ports/model.ts'

/** What the pages of error codes say around the words of a code. */
const WORDS = inBoth({
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

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.25rem; }
p { margin: 0.25rem 0; }
code { font-family: ui-monospace, monospace; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
`

/** The pages hold text and one style sheet, and so nothing else is let in. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`

/** Every code that a response of `/v1` may carry, in `error.code` or in `fiscal_error.code`. */
const DOCUMENTED_CODES = [...new Set([...Object.keys(ERRORS), ...Object.keys(FISCAL_ERRORS)])].sort()

type Code = ErrorCode | FiscalErrorCode

/** The page of one error code: what it means, what to do, whether to repeat. Undefined for an unknown code. */
export function errorPage(code: string, language: Language): string | undefined {
  const sections = [
    ...(Object.hasOwn(ERRORS, code) ? refusalSections(code as ErrorCode, language) : []),
    ...(Object.hasOwn(FISCAL_ERRORS, code) ? fiscalSections(code as FiscalErrorCode, language) : []),
  ]
  if (sections.length === 0) return undefined
  const lead = language === 'hr' ? [`<p><strong>${wordsOf(code as Code, 'hr').title}</strong></p>`] : []
  return page(code, `/docs/errors/${code}`, [`<h1><code>${code}</code></h1>`, ...lead, ...sections], language)
}

export function errorIndexPage(language: Language): string {
  const items = DOCUMENTED_CODES.map((code) => {
    const { means } = wordsOf(code as Code, language)
    return `<dt><a href="/docs/errors/${code}?lang=${language}"><code>${code}</code></a></dt><dd>${prose(means)}</dd>`
  })
  const { index } = WORDS[language]
  return page(index, '/docs/errors', [`<h1>${index}</h1>`, `<dl>${items.join('\n')}</dl>`], language)
}

/** Of a code in both tables, the words of the refusal. */
function wordsOf(code: Code, language: Language) {
  return language === 'hr'
    ? { ...CROATIAN_FISCAL_ERRORS, ...CROATIAN_ERRORS }[code]
    : { title: code, ...{ ...FISCAL_ERRORS, ...ERRORS }[code] }
}

function refusalSections(code: ErrorCode, language: Language): string[] {
  const { statuses, again } = ERRORS[code]
  const { means, fix } = language === 'hr' ? CROATIAN_ERRORS[code] : ERRORS[code]
  const words = WORDS[language]
  const status = statuses.map((number) => `${number} (<code>${typeOf(number)}</code>)`).join(', ')
  return [
    `<p>${words.inError} <code>error.code</code>, HTTP ${status}. ${statuses[0] < 500 ? words.notDone : words.notKnown}</p>`,
    section(words.means, means),
    section(words.fix, fix),
    section(words.again, words.againAnswers[again]),
  ]
}

function fiscalSections(code: FiscalErrorCode, language: Language): string[] {
  const { means, fix } = (language === 'hr' ? CROATIAN_FISCAL_ERRORS : FISCAL_ERRORS)[code]
  const words = WORDS[language]
  return [
    `<p>${words.inFiscalError}</p>`,
    section(words.means, means),
    section(words.fix, fix),
    section(words.again, code === 'upstream_unavailable' ? words.sendsItself : words.retry),
    ...(code === 'upstream_rejected' ? [restrictiveTable(language)] : []),
  ]
}

/** The codes that `message` names when the tax authority answers `s013`. */
function restrictiveTable(language: Language): string {
  const words = WORDS[language]
  const rows = explainCodes(RESTRICTIVE_CODES, language).map(
    ({ label, means, fix }) => `<tr><th scope="row">${label}</th><td>${prose(means)}</td><td>${prose(fix)}</td></tr>`,
  )
  return `<h2>${words.restrictive}</h2>
<table>
<tr><th scope="col">${words.inMessage}</th><th scope="col">${words.means}</th><th scope="col">${words.fix}</th></tr>
${rows.join('\n')}
</table>`
}

function section(title: string, text: string): string {
  return `<h2>${title}</h2>\n<p>${prose(text)}</p>`
}

/** Our own words, with what stands between backticks as code. */
function prose(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function page(title: string, path: string, parts: string[], language: Language): string {
  const { reference, index, other } = WORDS[language]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - fiskd</title>
<style>${STYLE}</style>
</head>
<body>
<p><a href="/docs">${reference}</a> / <a href="/docs/errors?lang=${language}">${index}</a> / <a href="${path}?lang=${other.language}" hreflang="${other.language}" lang="${other.language}">${other.name}</a></p>
${parts.join('\n')}
</body>
</html>
`
}

import type { Check } from '../check.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../sale/restrictive-codes.ts'
import { phraseBook, translateParts, type ValueRules } from '../texts/phrase-book.ts'
import { AUTHORITY_PHRASES } from './authority-phrases.ts'
import { CHECK_NAMES } from './check-names.ts'
import { HOST_PHRASES } from './host-phrases.ts'
import { INSTALLATION_PHRASES } from './installation-phrases.ts'
import { PRINTER_PHRASES } from './printer-phrases.ts'
import { INVOICE_PHRASES, SALES_PHRASES } from './sales-phrases.ts'
import { SERVICE_PHRASES } from './service-phrases.ts'
import { SYNC_PHRASES } from './sync-phrases.ts'

/**
 * What the doctor has found, in Croatian. The key of a phrase is its English text: gateways of every version send that,
 * so a server can tell in Croatian what one of another version has found. What is not known stays as it came.
 */
export function croatianCheck<T extends Pick<Check, 'name' | 'detail' | 'fix'>>(check: T): T {
  const { name, detail, fix } = check
  return {
    ...check,
    name: croatianName(name),
    detail: croatianPhrase(detail),
    fix: fix === null ? null : croatianPhrase(fix),
  }
}

function croatianName(name: string): string {
  return nameOf(name) ?? name
}

/** A phrase, or several. */
export function croatianPhrase(text: string): string {
  return text.length > LONGEST ? text : translateParts(text, croatianWhole)
}

/** The Croatian of a text that is one phrase of the doctor's, or that has its explanations in it; else null. */
export function croatianWhole(text: string): string | null {
  return phraseOf(text) ?? inSentences(text)
}

/** Texts come from gateways; longer ones are none of ours. */
const LONGEST = 4000

/** Values that are figures: no other text is taken for one of these phrases. */
const FIGURES = ['count', 'days', 'entries', 'files', 'free', 'hours', 'lost', 'minutes', 'ms', 'seconds']
const MODE_WORDS: Record<string, string> = { test: 'testni', live: 'stvarni' }

/** Values that are phrases themselves or figures; all others are names. */
const RULES: ValueRules = {
  phrases: new Set(['found', 'why', 'fix', 'ago', 'span', 'process']),
  forms: {
    ...Object.fromEntries(FIGURES.map((name) => [name, /^\d+(\.\d+)?$/])),
    addresses: /^[\da-fA-F.:]+(, [\da-fA-F.:]+)*$/,
    host: /^[^\s"]+$/,
    inMode: /^\w+$/,
    pid: /^\d+$/,
    protocol: /^TLS\S*$/,
    type: /^\S+$/,
    unit: /^(day|month)$/,
  },
  word: (place, value) => {
    if (place === 'check') return croatianName(value)
    if (place === 'unit') return value === 'day' ? 'dan' : 'mjesec'
    return place.endsWith('Mode') ? (MODE_WORDS[value] ?? value) : value
  },
}

/** What the doctor says of its findings. */
const CHECK_PHRASES = {
  ...AUTHORITY_PHRASES,
  ...HOST_PHRASES,
  ...INSTALLATION_PHRASES,
  ...INVOICE_PHRASES,
  ...PRINTER_PHRASES,
  ...SALES_PHRASES,
  ...SERVICE_PHRASES,
  ...SYNC_PHRASES,
}

const nameOf = phraseBook(CHECK_NAMES, RULES, (text) => croatianPhrase(text))
const phraseOf = phraseBook(CHECK_PHRASES, RULES, (text) => croatianPhrase(text))

/** What the doctor puts together with blanks between: explanations of restrictive codes, and the usual advice. */
const SENTENCES: [english: string, croatian: string][] = [
  ...RESTRICTIVE_CODES.flatMap((code): [string, string][] => {
    const [english] = explainCodes([code], 'en')
    const [croatian] = explainCodes([code], 'hr')
    return english && croatian
      ? [
          [english.means, croatian.means],
          [english.fix, croatian.fix],
        ]
      : []
  }),
  ...Object.entries(INVOICE_PHRASES),
  ['All of them at once: ', 'Svi odjednom: '],
]

function inSentences(text: string): string | null {
  const said = SENTENCES.reduce((one, [english, croatian]) => one.replaceAll(english, () => croatian), text)
  return said === text ? null : said.replace(/\bCode(s?) (?=\d{3})/g, (_, many) => (many ? 'Šifre ' : 'Šifra '))
}

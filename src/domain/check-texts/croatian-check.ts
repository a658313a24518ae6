import type { Check } from '../check.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../sale/restrictive-codes.ts'
import { CHECK_NAMES } from './check-names.ts'
import { HOST_PHRASES } from './host-phrases.ts'
import { INSTALLATION_PHRASES } from './installation-phrases.ts'
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
    name: croatianOf(name, NAMES) ?? name,
    detail: croatianPhrase(detail),
    fix: fix === null ? null : croatianPhrase(fix),
  }
}

/** A phrase, or several with semicolons between them. */
export function croatianPhrase(text: string): string {
  if (text.length > LONGEST) return text
  return (
    croatianOf(text, PHRASES) ??
    inSentences(text) ??
    text
      .split('; ')
      .map((part) => croatianOf(part, PHRASES) ?? part)
      .join('; ')
  )
}

/** Texts come from gateways; longer ones are none of ours. */
const LONGEST = 4000

interface Phrase {
  /** What stands before, between and after the values. */
  literals: string[]
  names: string[]
  croatian: string
}

const phrasesOf = (table: Readonly<Record<string, string>>): Phrase[] =>
  Object.entries(table)
    .map(([english, croatian]) => {
      const parts = english.split(/\{(\w+)\}/)
      return {
        literals: parts.filter((_, at) => at % 2 === 0),
        names: parts.filter((_, at) => at % 2 === 1),
        croatian,
      }
    })
    // The one that says the most comes first.
    .sort((one, other) => other.literals.join('').length - one.literals.join('').length)

const NAMES = phrasesOf(CHECK_NAMES)
const PHRASES = phrasesOf({
  ...HOST_PHRASES,
  ...INSTALLATION_PHRASES,
  ...INVOICE_PHRASES,
  ...SALES_PHRASES,
  ...SERVICE_PHRASES,
  ...SYNC_PHRASES,
})

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

/** Values that are phrases themselves; all others are names and figures. */
const NESTED = new Set(['found', 'why', 'fix', 'ago'])
/** Values that are figures: no other text is taken for one of these phrases. */
const FIGURES = new Set(['count', 'days', 'entries', 'files', 'free', 'hours', 'lost', 'minutes', 'ms', 'seconds'])
const MODE_WORDS: Record<string, string> = { test: 'testni', live: 'stvarni' }

function croatianOf(text: string, phrases: readonly Phrase[]): string | null {
  for (const phrase of phrases) {
    const values = valuesIn(text, phrase)
    if (values) return phrase.croatian.replace(/\{(\w+)\}/g, (_, name: string) => said(name, values.get(name) ?? ''))
  }
  return null
}

function said(name: string, value: string): string {
  if (NESTED.has(name)) return croatianPhrase(value)
  return name.endsWith('Mode') ? (MODE_WORDS[value] ?? value) : value
}

/** The values of a phrase in a text that is one. Looks for each literal once, so no text can take long. */
function valuesIn(text: string, { literals, names }: Phrase): Map<string, string> | null {
  const [first = '', ...rest] = literals
  if (!text.startsWith(first)) return null
  if (rest.length === 0) return text === first ? new Map() : null
  const values = new Map<string, string>()
  let from = first.length
  for (const [at, literal] of rest.entries()) {
    const isLast = at === rest.length - 1
    const end = isLast ? text.length - literal.length : text.indexOf(literal, from)
    if (end < from || (isLast && !text.endsWith(literal))) return null
    const [name = '', value] = [names[at], text.slice(from, end)]
    if (FIGURES.has(name) && !/^\d+(\.\d+)?$/.test(value)) return null
    values.set(name, value)
    from = end + literal.length
  }
  return values
}

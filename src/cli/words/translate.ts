import { croatianWhole } from '../../domain/check-texts/croatian-check.ts'
import { phraseBook, translateParts, type ValueRules } from '../../domain/texts/phrase-book.ts'
import { FAILURE_PHRASES } from './failure-phrases.ts'
import type { Language } from './language.ts'
import { LIST_PHRASES } from './list-phrases.ts'
import { PROGRESS_PHRASES } from './progress-phrases.ts'
import { REPLACE_PHRASES } from './replace-phrases.ts'
import { SETUP_PHRASES } from './setup-phrases.ts'
import { STATUS_PHRASES } from './status-phrases.ts'

/**
 * A text of `fisk` in the language of its reader. The English text is the key, with `{places}` for values; a text
 * without a translation stays as it is.
 */
export function translate(text: string, language: Language): string {
  return language === 'en' || text.length > LONGEST ? text : croatian(text)
}

/** A Croatian label for an English one, with the blanks and the bullet around it: `  - `, `Next: `. */
export function translateLabel(label: string, language: Language): string {
  const [, before = '', word = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(label) ?? []
  return word === '' ? label : `${before}${translate(word, language)}${after}`
}

/** What the daemon answers may be of any length; longer texts are none of ours. */
const LONGEST = 4000

const NUMBER = /^\d+([.,]\d+)?$/

const RULES: ValueRules = {
  phrases: new Set(['why', 'found', 'state', 'condition', 'detail', 'more', 'rest', 'until', 'what', 'span', 'wanted']),
  forms: {
    ...Object.fromEntries(
      ['count', 'number', 'rate', 'pending', 'pid', 'year', 'status'].map((name) => [name, NUMBER]),
    ),
    days: /^-?\d+$/,
    code: /^[A-Za-z0-9]{1,20}$/,
    oib: /^\d{1,20}$/,
    mode: /^(test|live)$/,
    date: /^\d\d\.\d\d\.\d{4} [\d:]+$/,
    condition: /^(ready|offline|silent|lost|unknown|no paper|open|low paper)$/,
    profile: /^[a-z0-9-]+$/,
    line: /^[a-z]+:\S+$/,
    url: /^https?:\S+$/,
    variable: /^[A-Z][A-Z0-9_]+$/,
    host: /^\S+$/,
  },
  word: (place, value) => {
    if (place === 'mode') return value === 'live' ? 'stvarni rad' : 'testni rad'
    return place === 'things' ? value.split(', ').map(croatian).join(', ') : value
  },
}

const phrase = phraseBook(
  { ...LIST_PHRASES, ...PROGRESS_PHRASES, ...STATUS_PHRASES, ...SETUP_PHRASES, ...FAILURE_PHRASES, ...REPLACE_PHRASES },
  RULES,
  (text) => croatian(text),
)

function croatian(text: string): string {
  return translateParts(text, (part) => phrase(part) ?? croatianWhole(part))
}

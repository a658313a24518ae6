import { FAILURE_PHRASES } from './failure-phrases.ts'
import { LIST_PHRASES } from './list-phrases.ts'
import { phraseBook, translateParts, type ValueRules } from './phrase-book.ts'
import { REPLACE_PHRASES } from './replace-phrases.ts'
import { SETUP_PHRASES } from './setup-phrases.ts'
import { STATUS_PHRASES } from './status-phrases.ts'

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
  word: (slot, value) => {
    if (slot === 'mode') return value === 'live' ? 'stvarni rad' : 'testni rad'
    return slot === 'things' ? value.split(', ').map(croatian).join(', ') : value
  },
}

const phrase = phraseBook(
  { ...LIST_PHRASES, ...STATUS_PHRASES, ...SETUP_PHRASES, ...FAILURE_PHRASES, ...REPLACE_PHRASES },
  RULES,
  (text) => croatian(text),
)

/** A text of `fisk` in Croatian; a text without a translation stays as it is. */
export function croatian(text: string): string {
  return translateParts(text, phrase)
}

import type { Check } from '../../domain/check.ts'
import { croatianCheck as croatianFinding, croatianWhole } from '../../domain/check-texts/croatian-check.ts'
import { phraseBook, translateParts, type ValueRules } from '../../domain/texts/phrase-book.ts'
import { FAILURE_PHRASES } from './failure-phrases.ts'
import { LIST_PHRASES } from './list-phrases.ts'
import { PROGRESS_PHRASES } from './progress-phrases.ts'
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

/** A text of `fisk` in Croatian; a text without a translation stays as it is. */
export function croatian(text: string): string {
  return translateParts(text, (part) => phrase(part) ?? croatianWhole(part))
}

/** A finding of the doctor, or what `fisk` itself says of a daemon that does not answer. */
export function croatianCheck<T extends Pick<Check, 'name' | 'detail' | 'fix'>>(check: T): T {
  const { name, detail, fix } = croatianFinding(check)
  // The doctor's own words come first: texts of other commands are looser.
  const other = (text: string, original: string | null) => (text === original ? croatian(text) : text)
  return { ...check, name, detail: other(detail, check.detail), fix: fix === null ? null : other(fix, check.fix) }
}

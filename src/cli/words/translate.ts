import type { Check } from '../../domain/check.ts'
import type { Language } from './language.ts'

let words: Pick<typeof import('./croatian.ts'), 'croatian' | 'croatianCheck'> | undefined

/** Loads the words of a language before the first text is said: a run in English starts without the Croatian tables. */
export async function loadWords(language: Language): Promise<void> {
  if (language === 'en' || words) return
  const { croatian, croatianCheck } = await import('./croatian.ts')
  words = { croatian, croatianCheck }
}

/**
 * A text of `fisk` in the language of its reader. The English text is the key, with `{places}` for values; a text
 * without a translation stays as it is.
 */
export function translate(text: string, language: Language): string {
  return language === 'en' || text.length > LONGEST ? text : loaded().croatian(text)
}

/** A Croatian label for an English one, with the blanks and the bullet around it: `  - `, `Next: `. */
export function translateLabel(label: string, language: Language): string {
  const [, before = '', word = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(label) ?? []
  return word === '' ? label : `${before}${translate(word, language)}${after}`
}

/** What the doctor has found. */
export function translateCheck<T extends Pick<Check, 'name' | 'detail' | 'fix'>>(check: T, language: Language): T {
  return language === 'en' ? check : loaded().croatianCheck(check)
}

function loaded(): NonNullable<typeof words> {
  if (words === undefined) throw new Error('A text was to be translated before loadWords().')
  return words
}

/** What the daemon answers may be of any length; longer texts are none of ours. */
const LONGEST = 4000

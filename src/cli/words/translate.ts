import type { Both } from '../../domain/texts/both.ts'

export const LANGUAGES = ['hr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** `FISKD_LANGUAGE`, else as programs of the system choose it (setlocale(3)). English is for everything that is not ours. */
export function languageOf(env: Record<string, string | undefined>): Language {
  const { FISKD_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  const chosen = FISKD_LANGUAGE || LC_ALL || LC_MESSAGES || LANG || ''
  return chosen.startsWith('hr') ? 'hr' : 'en'
}

let words: Pick<typeof import('./croatian.ts'), 'croatian'> | undefined

/** Loads the words of a language before the first text is said: a run in English starts without the Croatian tables. */
export async function loadWords(language: Language): Promise<void> {
  if (language === 'en' || words) return
  const { croatian } = await import('./croatian.ts')
  words = { croatian }
}

/** The English text is the key, with `{places}` for values; a text without a translation stays as it is. */
export function translate(text: string, language: Language): string {
  if (language === 'en' || text.length > LONGEST) return text
  if (words === undefined) throw new Error('A text was to be translated before loadWords().')
  return words.croatian(text)
}

/** A text of `fisk` in both languages, once `loadWords('hr')` has loaded the Croatian ones. */
export const inOwnWords = (text: string): Both => ({ en: text, hr: translate(text, 'hr') })

/** A Croatian label for an English one, with the blanks and the bullet around it: `  - `, `Next: `. */
export function translateLabel(label: string, language: Language): string {
  const [, before = '', word = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(label) ?? []
  return word === '' ? label : `${before}${translate(word, language)}${after}`
}

/** What the daemon answers may be of any length; longer texts are none of ours. */
const LONGEST = 4000

import type { Mode } from '../sale/sale.ts'

/** A text in both languages, said where it arises: the page or command that shows it chooses one. */
export interface Both {
  en: string
  hr: string
}

const both = (en: string, hr: string): Both => ({ en, hr })

/** What is the same in both languages: a command, a name, the words of another program. */
export const alike = (text: string): Both => both(text, text)

/** Puts texts together, in each language: together`${found}: ${why}`. */
export function together(between: TemplateStringsArray, ...parts: (Both | string | number)[]): Both {
  const say = (language: keyof Both) =>
    String.raw({ raw: between }, ...parts.map((part) => (typeof part === 'object' ? part[language] : part)))
  return both(say('en'), say('hr'))
}

export const joined = (texts: readonly Both[], between = '; '): Both =>
  both(texts.map(({ en }) => en).join(between), texts.map(({ hr }) => hr).join(between))

/** A text of another program in both languages, in one of them; what has another form stays as it came. */
export const saidIn = (said: unknown, language: keyof Both): unknown =>
  (said as Partial<Both> | null | undefined)?.[language] ?? said

/** A mode in Croatian, before its noun. */
export const MODE_HR: Record<Mode, string> = { test: 'testni', live: 'stvarni' }

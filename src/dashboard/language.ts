import type { FastifyRequest } from 'fastify'
import { acceptedLanguage } from '../domain/texts/accepted-language.ts'
import { plural } from '../domain/texts/plural.ts'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'

export { inBoth } from '../domain/texts/in-both.ts'
export { plural } from '../domain/texts/plural.ts'

export const LANGUAGE_COOKIE = 'fiskd_language'

/** The language before a sign-in: as chosen before, else as the browser says, else Croatian. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = LANGUAGES.find((language) => language === request.cookies?.[LANGUAGE_COOKIE])
  if (chosen) return chosen
  return acceptedLanguage(request.headers['accept-language']) ?? 'hr'
}

/** The English form of a word after a number. */
export const one = (n: number, singular: string, many: string) => (n === 1 ? singular : many)

export const invoicesIn = {
  hr: (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`,
  en: (n: number) => `${n} ${one(n, 'invoice', 'invoices')}`,
}

/** The word of a code; one that no list has, of another version, as it stands. */
export const wordIn = (words: Record<string, string>, code: string) =>
  Object.hasOwn(words, code) ? (words[code] ?? code) : code

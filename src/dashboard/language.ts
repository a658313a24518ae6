import type { FastifyRequest } from 'fastify'
import { acceptedLanguage } from '../domain/texts/accepted-language.ts'
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

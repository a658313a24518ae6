import type { FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'

/** A text, or what makes one of figures and names. */
export type Text = string | ((...values: never[]) => string)
type Texts = { [key: string]: Text | Texts }
/** The same keys, and functions of the same arguments. */
type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] extends Text ? T[K] : Same<T[K]> }

/** Texts in both languages; the compiler says which is missing. */
export function inBoth<T extends Texts>(hr: T, en: Same<T>): Record<Language, Same<T>> {
  return { hr: hr as Same<T>, en }
}

export const LANGUAGE_COOKIE = 'fiskd_language'

/** Of somebody who is not signed in: as chosen before, else as the browser says, else Croatian. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = LANGUAGES.find((language) => language === request.cookies?.[LANGUAGE_COOKIE])
  if (chosen) return chosen
  const wanted = (request.headers['accept-language'] ?? '').split(',').map((part) => part.trim().slice(0, 2))
  return LANGUAGES.find((language) => language === wanted.find((one) => one === 'hr' || one === 'en')) ?? 'hr'
}

/** The form of a word that Croatian wants after a number: 1 račun, 2 računa, 5 računa; 21 račun. */
export function plural(n: number, one: string, few: string, many: string): string {
  const form = PLURALS.select(n)
  return form === 'one' ? one : form === 'few' ? few : many
}

const PLURALS = new Intl.PluralRules('hr')

import { RESTRICTIVE_ERRORS, type RestrictiveError } from './restrictive-texts.ts'

type Language = 'hr' | 'en'

export type RestrictiveCode = keyof typeof RESTRICTIVE_ERRORS

export const RESTRICTIVE_CODES = Object.keys(RESTRICTIVE_ERRORS).map(Number) as RestrictiveCode[]

export function isRestrictiveCode(code: unknown): code is RestrictiveCode {
  return typeof code === 'number' && Object.hasOwn(RESTRICTIVE_ERRORS, code)
}

export interface ExplainedCodes {
  /** For example `Code 179`, or `Codes 182, 183` for codes with the same meaning. */
  label: string
  means: string
  fix: string
}

/** The meanings of the codes, in order and each once; an office reader gets pages, a technician commands. */
export function explainCodes(
  codes: Iterable<RestrictiveCode>,
  language: Language,
  reader: 'office' | 'technician' = 'technician',
): ExplainedCodes[] {
  const inOrder = [...new Set(codes)].sort((a, b) => a - b)
  const alike = Map.groupBy(inOrder, (code): RestrictiveError => RESTRICTIVE_ERRORS[code])
  const [one, several] = { hr: ['Šifra', 'Šifre'], en: ['Code', 'Codes'] }[language]
  return [...alike].map(([error, same]) => {
    const { means, fix, office = fix } = error[language]
    const label = `${same.length === 1 ? one : several} ${same.join(', ')}`
    return { label, means, fix: reader === 'office' ? office : fix }
  })
}

/** Whether a sale refused with this code can be confirmed after the cause is removed. */
export function canBeConfirmed(code: RestrictiveCode): boolean {
  return RESTRICTIVE_ERRORS[code].canBeConfirmed
}

/** As stored and shown (`fiscal_error.message`): the deciding code, and the restrictive codes that `s013` names. */
export function refusalMessage(code: string, meaning: string, restrictiveCodes: readonly number[]): string {
  const named = restrictiveCodes.length > 0 ? `: ${restrictiveCodes.join(', ')}` : ''
  return `The tax authority answered ${code}: ${meaning}${named}.`
}

const REFUSAL = /^The tax authority answered .+: (\d{3}(?:, \d{3})*)\.$/

/** The restrictive codes in a message that `refusalMessage` wrote; empty for every other text. */
export function restrictiveCodesIn(message: string | null): RestrictiveCode[] {
  const [, named = ''] = REFUSAL.exec(message ?? '') ?? []
  return named.split(', ').map(Number).filter(isRestrictiveCode)
}

/** As a message of an attempt begins that the tax authority answered itself: its code, then its words. */
const CODED = /^[a-z]\d{3}: /

/** What the tax authority itself said, from a proven answer; null for what fiskd says of the attempt, for technicians. */
export function authorityWordsIn(message: string | null): string | null {
  return message !== null && CODED.test(message) ? message : null
}

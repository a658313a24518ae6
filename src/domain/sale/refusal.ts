import { isRestrictiveCode, type RestrictiveCode } from './restrictive-codes.ts'

/**
 * The stored and displayed message of a sale that the tax authority refused (`fiscal_error.message`).
 * @param code the deciding code of the answer, such as `s013`
 * @param restrictiveCodes the codes in the text of `s013`
 */
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

/** As a message of an attempt begins that the tax authority answered itself: its code, then its words. */
const CODED = /^[a-z]\d{3}: /

/** What the tax authority itself said, from a proven answer; null for what fiskd says of the attempt, for technicians. */
export function authorityWordsIn(message: string | null): string | null {
  return message !== null && CODED.test(message) ? message : null
}

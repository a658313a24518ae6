/** As a message of an attempt begins that the tax authority answered itself: its code, then its words. */
const CODED = /^[a-z]\d{3}: /

/**
 * The words of the tax authority in the stored message of an attempt, from an answer that is proven to be its own; null
 * for what fiskd itself says of the attempt, which is for technicians and in English.
 */
export function authorityWordsIn(message: string | null): string | null {
  return message !== null && CODED.test(message) ? message : null
}

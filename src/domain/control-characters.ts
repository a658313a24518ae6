/**
 * What a terminal obeys, and what a reader does not see but what reorders or hides the letters beside it: C0 and C1
 * controls, marks of direction and other format characters, separators of lines and paragraphs.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The same without C0: those are line ends and colours of our own, and JSON has no others. */
const BEYOND_C0 = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text as one line that says what it shows: a space stands for each run of control characters. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ')
}

/**
 * A text, of several lines perhaps, in which control characters are visible and do nothing: `\u202e` stands for
 * U+202E. What is JSON stays JSON of the same value. C0 stays as it is.
 */
export function escapeControls(text: string): string {
  return text.replace(BEYOND_C0, (character) => character.split('').map(escapeUnit).join(''))
}

/** Characters beyond U+FFFF are two units, as JSON wants them. */
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

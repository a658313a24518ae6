/** What controls a terminal, reorders or hides text: C0 and C1 controls, direction marks and other format characters. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** `CONTROLS` without C0, because C0 characters are fiskd's own line ends and colours, and JSON escapes its own. */
const BEYOND_C0 = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** Makes a text a single line without control characters; a space replaces each run of them. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ')
}

/** Makes control characters visible, U+202E as `\u202e`, but for C0. JSON stays JSON of the same value. */
export function escapeControls(text: string): string {
  return text.replace(BEYOND_C0, (character) => character.split('').map(escapeUnit).join(''))
}

/** Characters beyond U+FFFF become two units, as in JSON. */
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

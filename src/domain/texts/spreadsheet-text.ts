/** What a spreadsheet would take for a formula, wide signs and what it skips before one included. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const STARTS_WITH_CONTROL = /^[\t\r\n]/

/** Keeps a text from being taken for a formula, and in one line: it may come from outside. */
export function spreadsheetText(text: string): string {
  const line = text.replace(/[\r\n\t]+/g, ' ')
  return FORMULA.test(line) || STARTS_WITH_CONTROL.test(text) ? `'${line}` : line
}

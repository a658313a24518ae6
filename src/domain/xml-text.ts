// Tab, line feed, carriage return and everything else from U+0020 that is not a surrogate half or a non-character.
const XML_TEXT = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u

/** XML 1.0 carries no NUL, no lone surrogate, no U+FFFE. */
export function isXmlText(text: string): boolean {
  return XML_TEXT.test(text)
}

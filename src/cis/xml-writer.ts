/**
 * Text as canonical XML writes it: what leaves here needs no rewriting before it is digested. A carriage return must
 * be a reference, or the reader takes it for a line feed and the signature no longer fits.
 */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')
}

/** One element in the message namespace, holding text. */
export function textElement(name: string, text: string): string {
  return element(name, escapeText(text))
}

/** One element in the message namespace, holding XML that is already written. */
export function element(name: string, ...content: string[]): string {
  return `<tns:${name}>${content.join('')}</tns:${name}>`
}

/** Nothing at all for null: the schema refuses empty elements. */
export function optionalElement(name: string, text: string | null): string {
  return text === null || text === '' ? '' : textElement(name, text)
}

/** A list wrapped in one element, nothing at all when the list is empty. */
export function listElement<T>(name: string, items: readonly T[], write: (item: T) => string): string {
  return items.length === 0 ? '' : element(name, ...items.map(write))
}

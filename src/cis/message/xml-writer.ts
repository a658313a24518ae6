/** Characters that a reader may turn into a line feed, which would change the text and its digest. */
const LINE_ENDS: Record<string, string> = { '\r': '&#xD;', '\u0085': '&#x85;', '\u2028': '&#x2028;' }

const TO_ESCAPE = /[&<>\r\u0085\u2028]/

/**
 * Escapes text so that every parser reads it unchanged. XML 1.0 turns a carriage return into a line feed; XML 1.1, and
 * some parsers of XML 1.0, do the same with U+0085 and U+2028. No parser changes character references.
 */
export function escapeText(text: string): string {
  if (!TO_ESCAPE.test(text)) return text
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(/[\r\u0085\u2028]/g, (end) => LINE_ENDS[end] ?? end)
}

/** The canonical form (C14N 1.0, 2.3) of what this file wrote, which escapes more line ends than the carriage return. */
export function canonicalText(written: string): string {
  return written.replaceAll('&#x85;', '\u0085').replaceAll('&#x2028;', '\u2028')
}

export const textElement = (name: string, text: string): string => element(name, escapeText(text))

/** One element in the message namespace, holding XML that is already written. */
export function element(name: string, content: string): string {
  const tag = tags.get(name) ?? { start: `<tns:${name}>`, end: `</tns:${name}>` }
  tags.set(name, tag)
  return tag.start + content + tag.end
}

/** Those of the schema, made once: a message has some twenty. */
const tags = new Map<string, { start: string; end: string }>()

/** Returns an empty text for null, because the schema refuses empty elements. */
export function optionalElement(name: string, text: string | null): string {
  return text === null || text === '' ? '' : textElement(name, text)
}

export function listElement<T>(name: string, items: readonly T[], write: (item: T) => string): string {
  return items.length === 0 ? '' : element(name, items.map(write).join(''))
}

import { characterOf } from './answer-text.ts'

const ATTRIBUTES = `(?:\\s+[^\\s<>"'=/]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*\\s*`
const BLANK = '(?:[\\t\\n\\r ]|&#(?:0*(?:9|10|13|32)|x0*(?:9|[aAdD]|20));)*'

/** A start tag `Jir` with any prefix, unless the element is clearly empty or blank. */
const JIR = new RegExp(`<(?:[^\\s<>/:]+:)?Jir(?![\\p{L}\\p{M}\\p{N}_.:-])(?!${ATTRIBUTES}(?:/>|>${BLANK}</))`, 'u')

/**
 * Whether a text that is not read as XML (it is malformed, or has a DOCTYPE) claims a JIR. A truncated element counts
 * as a claim, and so does an element with an entity, because entities are not expanded here.
 */
export function textClaimsJir(text: string): boolean {
  const written = withoutComments(text)
  return JIR.test(written) || (written.includes('<!ENTITY') && JIR.test(withReferencesWritten(written)))
}

/**
 * A comment, a CDATA section, a processing instruction, or the beginning of a tag or declaration with its literals.
 * Markup without an end extends to the end of the text, so that no part is read twice.
 */
const MARKUP = /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<\?.*?(?:\?>|$)|<!?[^\s<>!?](?:[^<>"']|"[^"]*"|'[^']*')*/gs

/** Removes comments, and turns CDATA sections into text. Text in a literal that looks like a comment stays. */
function withoutComments(text: string): string {
  return text.replace(MARKUP, (markup) => {
    if (markup.startsWith('<!--') && markup.endsWith('-->')) return ''
    if (!markup.startsWith(CDATA) || !markup.endsWith(']]>')) return markup
    return markup.slice(CDATA.length, -3).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  })
}

const CDATA = '<![CDATA['

/** The text of an entity may encode its markup as character references, and each `&` in them as another reference. */
const REFERENCE = /&(?:#0*38;|#x0*26;)*#(?:x([\da-f]+)|(\d+));/gi

function withReferencesWritten(text: string): string {
  return text.replace(REFERENCE, (_, hex: string | undefined, decimal: string) =>
    characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}

import { characterOf } from './answer-text.ts'

const ATTRIBUTES = `(?:\\s+[^\\s<>"'=/]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*\\s*`
const BLANK = '(?:[\\t\\n\\r ]|&#(?:0*(?:9|10|13|32)|x0*(?:9|[aAdD]|20));)*'

/** A start tag `Jir` of any prefix, unless it is seen to be that of an empty or blank element. */
const JIR = new RegExp(`<(?:[^\\s<>/:]+:)?Jir(?![\\p{L}\\p{M}\\p{N}_.:-])(?!${ATTRIBUTES}(?:/>|>${BLANK}</))`, 'u')

/**
 * Whether a text that is not read as XML (it is malformed, or brings a DOCTYPE) claims a JIR. An element that is cut off
 * does, and so does one that holds an entity, for nobody expands it here.
 */
export function textClaimsJir(text: string): boolean {
  const written = withoutComments(text)
  return JIR.test(written) || (written.includes('<!ENTITY') && JIR.test(withReferencesWritten(written)))
}

/**
 * A comment, a CDATA section, a processing instruction, or the beginning of a tag or declaration with its literals. What
 * has no end goes on to the end of the text, so that nothing is read twice.
 */
const MARKUP = /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<\?.*?(?:\?>|$)|<!?[^\s<>!?](?:[^<>"']|"[^"]*"|'[^']*')*/gs

/** Takes out comments, and makes text of CDATA sections. What only looks like a comment, such as in a literal, stays. */
function withoutComments(text: string): string {
  return text.replace(MARKUP, (markup) => {
    if (markup.startsWith('<!--') && markup.endsWith('-->')) return ''
    if (!markup.startsWith(CDATA) || !markup.endsWith(']]>')) return markup
    return markup.slice(CDATA.length, -3).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  })
}

const CDATA = '<![CDATA['

/** The text of an entity may have its markup as references to characters, each `&` of these as one again. */
const REFERENCE = /&(?:#0*38;|#x0*26;)*#(?:x([\da-f]+)|(\d+));/gi

function withReferencesWritten(text: string): string {
  return text.replace(REFERENCE, (_, hex: string | undefined, decimal: string) =>
    characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}

import { withoutControls } from '../../domain/control-characters.ts'
import type { UpstreamError } from '../../fiscal/ports/tax-authority.ts'
import { characterOf, textOf } from './answer-text.ts'
import { condition, elementsAt, readXml, textAt } from './xml-reader.ts'

/** What an untrusted answer says. */
export interface Claims {
  /** True when the answer has an element `Jir`, in any namespace and place, that is neither empty nor blank. */
  jir: boolean
  /** For people: few, short, and without control characters for a terminal. */
  errors: UpstreamError[]
}

const holdsJir = condition('//*[local-name()="Jir"][normalize-space() != ""]')
const errorsIn = elementsAt('//*[local-name()="Greska"]')
const codeOf = textAt('*[local-name()="SifraGreske"]')
const messageOf = textAt('*[local-name()="PorukaGreske"]')

const [MAX_ERRORS, MAX_CODE, MAX_MESSAGE] = [5, 10, 300]

/** Never throws. A body that is not read as XML is only searched for a JIR; in doubt, `jir` is true. */
export function claimsOf(body: Buffer): Claims {
  try {
    return readXml(body, ({ root }) => ({
      jir: holdsJir(root),
      errors: errorsIn(root)
        .slice(0, MAX_ERRORS)
        .map((error) => ({ code: plain(codeOf(error), MAX_CODE), message: plain(messageOf(error), MAX_MESSAGE) })),
    }))
  } catch {
    return { jir: textClaimsJir(textOf(body)), errors: [] }
  }
}

function plain(text: string, length: number): string {
  const shown = withoutControls(text).replace(/\s+/g, ' ').trim()
  return shown.length > length ? `${shown.slice(0, length)}…` : shown
}

const ATTRIBUTES = `(?:\\s+[^\\s<>"'=/]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*\\s*`
const BLANK = '(?:[\\t\\n\\r ]|&#(?:0*(?:9|10|13|32)|x0*(?:9|[aAdD]|20));)*'

/** A start tag `Jir` with any prefix, unless the element is clearly empty or blank. */
const JIR = new RegExp(`<(?:[^\\s<>/:]+:)?Jir(?![\\p{L}\\p{M}\\p{N}_.:-])(?!${ATTRIBUTES}(?:/>|>${BLANK}</))`, 'u')

/** For text that is no XML or has a DOCTYPE. A truncated Jir counts, and so does one with an entity: none is expanded. */
function textClaimsJir(text: string): boolean {
  const written = withoutComments(text)
  return JIR.test(written) || (written.includes('<!ENTITY') && JIR.test(withReferencesWritten(written)))
}

/** Comments, CDATA, instructions, beginnings of tags. Markup without an end goes to the end: no part is read twice. */
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

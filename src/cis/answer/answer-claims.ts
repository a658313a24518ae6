import { withoutControls } from '../../domain/control-characters.ts'
import type { UpstreamError } from '../../fiscal/ports/tax-authority.ts'
import { textOf } from './answer-text.ts'
import { textClaimsJir } from './jir-in-text.ts'
import { condition, elementsAt, textAt } from './xml-path.ts'
import { readXml } from './xml-reader.ts'

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

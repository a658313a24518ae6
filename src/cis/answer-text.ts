import type { UpstreamError } from '../fiscal/ports.ts'
import { elementsAt, textAt } from './xml-path.ts'
import { readXml } from './xml-reader.ts'

/** The body of an answer as text; UTF-8 where no byte order mark says something else. */
export function textOf(body: Buffer): string {
  const [first, second] = body
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(body)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body)
  return body.toString('utf8')
}

/** An element that may be called so and is neither empty nor blank, whatever is around it. */
const JIR = /<(?:[^\s<>/:]+:)?Jir(?:\s[^<>]*)?(?<!\/)>(?!\s*<\/)/

/** Whether something claims to bring a JIR; of what cannot be parsed, too. */
export function claimsJir(text: string): boolean {
  return JIR.test(text)
}

const errorsIn = elementsAt('//*[local-name()="Greska"]')
const codeOf = textAt('*[local-name()="SifraGreske"]')
const messageOf = textAt('*[local-name()="PorukaGreske"]')

const [MAX_ERRORS, MAX_CODE, MAX_MESSAGE] = [5, 10, 300]

/**
 * The errors that an answer names which cannot be believed: for people, so they are few, short and without characters
 * that would play tricks on a terminal.
 */
export function errorsClaimed(body: Buffer): UpstreamError[] {
  try {
    return readXml(body, ({ root }) =>
      errorsIn(root)
        .slice(0, MAX_ERRORS)
        .map((error) => ({ code: plain(codeOf(error), MAX_CODE), message: plain(messageOf(error), MAX_MESSAGE) })),
    )
  } catch {
    return []
  }
}

function plain(text: string, length: number): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return shown.length > length ? `${shown.slice(0, length)}…` : shown
}

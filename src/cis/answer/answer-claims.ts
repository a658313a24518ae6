import { textOf } from './answer-text.ts'
import type { Claims } from './claims-in-xml.ts'
import { textClaimsJir } from './jir-in-text.ts'

/** Never throws. A body that is not read as XML is only searched for a JIR; in doubt, `jir` is true. */
export async function claimsOf(body: Buffer): Promise<Claims> {
  try {
    const { claimsInXml } = await import('./any-answer.ts')
    return claimsInXml(body)
  } catch {
    return { jir: textClaimsJir(textOf(body)), errors: [] }
  }
}

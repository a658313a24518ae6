import type { XmlElement } from 'libxml2-wasm'
import { requiring } from './xml-path.ts'
import { XmlRefusal } from './xml-reader.ts'

/** A real answer has some thirty elements, six levels deep, and declares about five name spaces. */
const [MAX_ELEMENTS, MAX_ATTRIBUTES, MAX_DEPTH, MAX_NAMESPACES] = [1000, 1000, 32, 64]

const requireFew = requiring(
  [`count(//*) <= ${MAX_ELEMENTS}`, 'it has too many elements'],
  [`count(//@*) <= ${MAX_ATTRIBUTES}`, 'it has too many attributes'],
  [`not(${'/*'.repeat(MAX_DEPTH + 1)})`, 'its elements are nested too deeply'],
)

/**
 * Canonicalization looks up, for each element, every name space in scope, level by level: what a few kilobytes can
 * declare would hold the process up for a minute. So everything is counted first, in the document as it was parsed,
 * whatever encoding it came in.
 * @throws XmlRefusal when canonicalization would take longer than an answer is worth
 */
export function refuseCostly({ doc }: XmlElement): void {
  requireFew(doc.root)
  const declarations = doc.toString({ format: false }).split('xmlns').length - 1
  if (declarations > MAX_NAMESPACES) throw new XmlRefusal('it declares too many name spaces')
}

import type { XmlElement } from 'libxml2-wasm'
import { CIS_BOUNDS } from '../bounds.ts'
import { requiring } from './xml-path.ts'
import { XmlRefusal } from './xml-reader.ts'

const requireFew = requiring(
  [`count(//*) <= ${CIS_BOUNDS.elements.most}`, 'it has too many elements'],
  [`count(//@*) <= ${CIS_BOUNDS.attributes.most}`, 'it has too many attributes'],
  [`not(${'/*'.repeat(CIS_BOUNDS.depth.most + 1)})`, 'its elements are nested too deeply'],
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
  if (declarations > CIS_BOUNDS.nameSpaces.most) throw new XmlRefusal('it declares too many name spaces')
}

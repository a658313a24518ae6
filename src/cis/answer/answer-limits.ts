import type { XmlElement } from 'libxml2-wasm'
import { CIS_BOUNDS } from '../bounds.ts'
import { requiring } from './xml-path.ts'
import { XmlRefusal } from './xml-refusal.ts'

const requireFew = requiring(
  [`count(//*) <= ${CIS_BOUNDS.elements.most}`, 'it has too many elements'],
  [`count(//@*) <= ${CIS_BOUNDS.attributes.most}`, 'it has too many attributes'],
  [`not(${'/*'.repeat(CIS_BOUNDS.depth.most + 1)})`, 'its elements are nested too deeply'],
)

/**
 * Canonicalization looks up, for each element, every namespace in scope, level by level: a few kilobytes of
 * declarations could block the process for a minute. So this function counts everything first, in the parsed
 * document, whatever its encoding was.
 * @throws XmlRefusal when canonicalization would take too long
 */
export function refuseCostly({ doc }: XmlElement): void {
  requireFew(doc.root)
  const declarations = doc.toString({ format: false }).split('xmlns').length - 1
  if (declarations > CIS_BOUNDS.nameSpaces.most) throw new XmlRefusal('it declares too many name spaces')
}

import { ParseOption, XmlC14NMode, XmlDocument, XmlElement } from 'libxml2-wasm'

export const F73_NS = 'http://www.apis-it.hr/fin/2012/types/f73'
export const SOAP_NS = 'http://schemas.xmlsoap.org/soap/envelope/'
export const DSIG_NS = 'http://www.w3.org/2000/09/xmldsig#'

export const INCLUSIVE_C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

const C14N_MODES = {
  [INCLUSIVE_C14N]: XmlC14NMode.XML_C14N_1_0,
  [EXCLUSIVE_C14N]: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0,
} as const

/** Parses strictly, and frees the parser's memory afterwards. @throws Error when not well-formed, or with a DOCTYPE */
export function withDocument<T>(text: string, use: (document: XmlDocument) => T): T {
  using document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE })
  if (document.dtd !== null) throw new Error('a DOCTYPE is not allowed')
  return use(document)
}

/** The canonical XML of an element with the namespaces inherited in its document, without comments. */
export function canonicalize(element: XmlElement, method: keyof typeof C14N_MODES): string {
  return element.canonicalizeToString({ mode: C14N_MODES[method], withComments: false })
}

export function childElements(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = []
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(node)
  }
  return children
}

export function childNamed(element: XmlElement | null, namespace: string, name: string): XmlElement | null {
  if (element === null) return null
  return childElements(element).find((child) => isNamed(child, namespace, name)) ?? null
}

/** The text at the end of a path of child elements in the fiscalization namespace; null when an element is missing. */
export function textAt(element: XmlElement, ...path: string[]): string | null {
  let at: XmlElement | null = element
  for (const name of path) at = childNamed(at, F73_NS, name)
  return at === null ? null : at.content
}

export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespaceUri === namespace
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

import { ParseOption, XmlDocument, XmlElement, XmlText, type XmlTreeNode } from 'libxml2-wasm'

/** XML that is not what it must be; the message says what is wrong and never quotes the document. */
export class XmlRefusal extends Error {}

/** It cannot be parsed at all. */
export class MalformedXml extends XmlRefusal {}

/**
 * Parses a document strictly and hands it to `read`, freeing it afterwards.
 * @throws MalformedXml when it is not well-formed; XmlRefusal when it brings a DOCTYPE, and with it the means to define entities.
 */
export function readXml<T>(source: Uint8Array | string, read: (document: XmlDocument) => T): T {
  const document = parse(source)
  try {
    if (document.dtd !== null) throw new XmlRefusal('it holds a DOCTYPE')
    return read(document)
  } finally {
    document.dispose()
  }
}

function parse(source: Uint8Array | string): XmlDocument {
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE
  try {
    return typeof source === 'string'
      ? XmlDocument.fromString(source, { option })
      : XmlDocument.fromBuffer(source, { option })
  } catch {
    // The parser's own message quotes the document, which names a taxpayer.
    throw new MalformedXml('it is not well-formed XML')
  }
}

export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespaceUri === namespace
}

/** The elements right below an element, in document order, whatever stands between them. */
export function elementsOf(element: XmlElement): XmlElement[] {
  // Walking the nodes would stop at a processing instruction, for which libxml2-wasm has no type.
  return element.find('*').filter((node) => node instanceof XmlElement)
}

/** The elements of that name right below an element. */
export function elementsNamed(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return elementsOf(element).filter((child) => isNamed(child, namespace, name))
}

/**
 * The only element of that name right below an element.
 * @throws XmlRefusal when there is none, or more than one.
 */
export function onlyElement(element: XmlElement, namespace: string, name: string): XmlElement {
  const [found, ...others] = elementsNamed(element, namespace, name)
  if (!found || others.length > 0) throw new XmlRefusal(`there is not exactly one ${name}`)
  return found
}

/**
 * The text of an element that holds nothing but text.
 * @throws XmlRefusal when anything else stands in it: two readers could read two texts out of one element.
 */
export function textOf(element: XmlElement): string {
  const nodes = nodesOf(element)
  if (!nodes.every((node) => node instanceof XmlText)) throw new XmlRefusal(`${element.name} holds more than text`)
  return nodes.map((node) => node.content).join('')
}

function nodesOf(element: XmlElement): XmlTreeNode[] {
  const nodes: XmlTreeNode[] = []
  for (let node = element.firstChild; node !== null; node = node.next) nodes.push(node)
  return nodes
}

import { ParseOption, XmlDocument, XmlElement, type XmlNode, XmlXPath } from 'libxml2-wasm'
import { FISCAL_NAMESPACE, SIGNATURE_NAMESPACE, SOAP_NAMESPACE } from '../namespaces.ts'

/** Strictly. @throws MalformedXml when it is not well-formed; XmlRefusal for a DOCTYPE, which could define entities */
export function readXml<T>(source: Uint8Array | string, read: (document: XmlDocument) => T): T {
  using document = parse(source)
  if (document.dtd !== null) throw new XmlRefusal('it holds a DOCTYPE')
  return read(document)
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

/** The prefixes in our paths, which are independent of the prefixes in a document. */
const PREFIXES = { soap: SOAP_NAMESPACE, ds: SIGNATURE_NAMESPACE, tns: FISCAL_NAMESPACE }

/** Compiling takes longer than evaluating, and each evaluation registers the prefixes: so only those used are given. */
function compile(expression: string): XmlXPath {
  const used = Object.entries(PREFIXES).filter(([prefix]) => expression.includes(`${prefix}:`))
  return XmlXPath.compile(expression, Object.fromEntries(used))
}

export function condition(expression: string): (at: XmlElement) => boolean {
  const path = compile(`boolean(${expression})`)
  return (at) => at.eval(path) === true
}

/** @returns a function that returns the text of the first node found, or an empty text */
export function textAt(expression: string): (at: XmlElement) => string {
  const path = compile(`string(${expression})`)
  return (at) => String(at.eval(path))
}

/** @returns a function that finds elements and attributes, in document order */
export function nodesAt(expression: string): (at: XmlElement) => XmlNode[] {
  const path = compile(expression)
  return (at) => at.find(path)
}

/** @returns a function that finds elements, in document order */
export function elementsAt(expression: string): (at: XmlElement) => XmlElement[] {
  const find = nodesAt(expression)
  return (at) => find(at).filter((node) => node instanceof XmlElement)
}

export type Rule = readonly [expression: string, otherwise: string]

/** One expression checks all rules, and one by one only to find the first that failed: XmlRefusal has its text. */
export function requiring(...rules: Rule[]): (at: XmlElement) => void {
  const allHold = condition(rules.map(([expression]) => `boolean(${expression})`).join(' and '))
  const each = rules.map(([expression, otherwise]) => ({ holds: condition(expression), otherwise }))
  return (at) => {
    if (allHold(at)) return
    const broken = each.find(({ holds }) => !holds(at))
    throw new XmlRefusal(broken?.otherwise ?? 'it is not built as it must be')
  }
}

export const one = (path: string): Rule => [`count(${path}) = 1`, `there is not exactly one ${nameOf(path)}`]

/** Requires exactly these child elements, in this order. */
export function holdsJust(path: string, ...names: string[]): Rule {
  const children = names.map((name, i) => `[*[${i + 1}][self::${name}]]`).join('')
  return [`${path}[count(*) = ${names.length}]${children}`, `${nameOf(path)} is not built as it must be`]
}

/** Requires only text (or CDATA) in an element: with other nodes two parsers could read different texts. */
export function holdsText(path: string): Rule {
  return [`not(${path}/node()[not(self::text())])`, `${nameOf(path)} holds more than text`]
}

/** The element name in a path: `Reference` for `a/ds:Reference[1]`. */
export const nameOf = (path: string): string => path.replace(/\[[^\]]*\]$/, '').replace(/^.*[:/]/, '')

const BODY = '/soap:Envelope[count(soap:Body) = 1]/soap:Body[count(*) = 1]'
const contents = elementsAt(`${BODY}/*`)

/** The one element in the one Body of the Envelope that is the root, or undefined when it is not exactly that. */
export const soapContent = (root: XmlElement): XmlElement | undefined => contents(root)[0]

/** Whether the content of the Body is a SOAP fault (SOAP 1.1, 4.4). */
export const holdsFault = condition(`${BODY}/soap:Fault`)

/**
 * Structure or content (`form`), its `algorithm` (`sha1` when only the configuration refuses it), or its signer: the subject
 * has another `signer_name` or `signer_identifier` than the service, its key is no RSA key (`signer_key`), or it does not
 * chain to the trust bundle (`signer`).
 */
export type RefusalCause = 'form' | 'algorithm' | 'sha1' | 'signer' | 'signer_name' | 'signer_identifier' | 'signer_key'

/** Invalid XML; the message says what is wrong and quotes nothing of the document but the name of a signer. */
export class XmlRefusal extends Error {
  readonly about: RefusalCause

  constructor(message: string, about: RefusalCause = 'form') {
    super(message)
    this.about = about
  }
}

export class MalformedXml extends XmlRefusal {}

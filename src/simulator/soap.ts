import type { XmlElement } from 'libxml2-wasm'
import { childElements, childNamed, escapeXml, F73_NS, isNamed, SOAP_NS, withDocument } from './xml.ts'

const ACTION_BASE = 'http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService/'
const REQUEST_NAMES = {
  racuni: 'RacunZahtjev',
  provjera: 'ProvjeraZahtjev',
  echo: 'EchoRequest',
  promijeniPodatkeRacuna: 'PromijeniPodatkeRacunaZahtjev',
  prijaviRadnoVrijeme: 'PrijaviRadnoVrijemeZahtjev',
  obrisiRadnoVrijeme: 'ObrisiRadnoVrijemeZahtjev',
  dohvatiRadnoVrijeme: 'DohvatiRadnoVrijemeZahtjev',
} as const

export type Operation = keyof typeof REQUEST_NAMES
export type RequestOperation = Exclude<Operation, 'racuni' | 'echo'>

export const answerRootOf = (operation: RequestOperation) => REQUEST_NAMES[operation].replace('Zahtjev', 'Odgovor')

/** A request that cannot be processed; the answer is a SOAP fault. */
export class SoapFault extends Error {}

/** The operation in a SOAPAction header. SOAP 1.1 requires quotes around the address. */
export function operationOf(soapAction: string | undefined): Operation {
  const operation = (Object.keys(REQUEST_NAMES) as Operation[]).find((name) => soapAction === `"${ACTION_BASE}${name}"`)
  if (operation === undefined) throw new SoapFault(`The given SOAPAction ${soapAction ?? '(none)'} is not known.`)
  return operation
}

export const isEmpty = (text: string): boolean => /<([\w.-]+:)?Body(?:\s[^>]*)?(?:\/>|>\s*<\/\1Body>)/.test(text)

/** @throws SoapFault when the message is not a strict SOAP 1.1 envelope with the operation's request */
export function withRequest<T>(text: string, operation: Operation, use: (request: XmlElement) => T): T {
  let opened = false
  try {
    return withDocument(text, (document) => {
      const request = bodyElement(document.root)
      if (!isNamed(request, F73_NS, REQUEST_NAMES[operation])) {
        throw new SoapFault(`Operation ${operation} does not take {${request.namespaceUri}}${request.name}.`)
      }
      opened = true
      return use(request)
    })
  } catch (error) {
    if (opened || error instanceof SoapFault) throw error
    throw new SoapFault(`Error reading XML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function bodyElement(root: XmlElement): XmlElement {
  const isEnvelope = isNamed(root, SOAP_NS, 'Envelope')
  const body = isEnvelope ? childNamed(root, SOAP_NS, 'Body') : null
  const [request, ...others] = body === null ? [] : childElements(body)
  if (request === undefined || others.length > 0) throw new SoapFault('Not a SOAP 1.1 envelope with one body element.')
  return request
}

/** The namespaces that the service declares on every envelope. */
const DECLARED = [
  'xmlns:regexp="http://exslt.org/regular-expressions"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
  `xmlns:soap="${SOAP_NS}"`,
].join(' ')

/** A SOAP 1.1 envelope; its content inherits the namespace prefixes declared here. */
export function envelope(body: string, header = ''): string {
  const head = header === '' ? '' : `<soap:Header>${header}</soap:Header>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope ${DECLARED}>${head}<soap:Body>${body}</soap:Body></soap:Envelope>`
}

export function faultEnvelope(side: 'Client' | 'Server', text: string): string {
  return envelope(
    `<soap:Fault><faultcode>soap:${side}</faultcode><faultstring>${escapeXml(text)}</faultstring></soap:Fault>`,
  )
}

export function echoEnvelope(text: string): string {
  return envelope(`<tns:EchoResponse xmlns:tns="${F73_NS}">${escapeXml(text)}</tns:EchoResponse>`)
}

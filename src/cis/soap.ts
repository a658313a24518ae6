import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import { elementsOf, isNamed } from './xml-reader.ts'

const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/'
const ACTION = 'http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService'

export type Operation = 'racuni' | 'echo'

/** A SOAP 1.1 envelope around a message, document/literal. */
export function envelope(message: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}">` +
    `<soapenv:Body>${message}</soapenv:Body></soapenv:Envelope>`
  )
}

/** The headers of a call; the quotes around the action belong to it (SOAP 1.1, 6.1.1). */
export function soapHeaders(operation: Operation): Record<string, string> {
  return { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${ACTION}/${operation}"` }
}

/** The one element in the one Body of the Envelope that is the root, or undefined when it is not exactly that. */
export function soapContent(document: XmlDocument): XmlElement | undefined {
  if (!isNamed(document.root, SOAP_NAMESPACE, 'Envelope')) return undefined
  const bodies = elementsOf(document.root).filter((child) => isNamed(child, SOAP_NAMESPACE, 'Body'))
  const content = bodies.length === 1 && bodies[0] ? elementsOf(bodies[0]) : []
  return content.length === 1 ? content[0] : undefined
}

/** Whether the envelope's body is a SOAP fault (SOAP 1.1, 4.4). */
export function isFault(document: XmlDocument): boolean {
  const content = soapContent(document)
  return content !== undefined && isNamed(content, SOAP_NAMESPACE, 'Fault')
}

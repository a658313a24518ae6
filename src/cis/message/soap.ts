import type { XmlElement } from 'libxml2-wasm'
import { condition, elementsAt } from '../answer/xml-path.ts'
import { SOAP_NAMESPACE } from '../namespaces.ts'

const BODY = '/soap:Envelope[count(soap:Body) = 1]/soap:Body[count(*) = 1]'
const contents = elementsAt(`${BODY}/*`)
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
  return HEADERS[operation]
}

const headersOf = (operation: Operation) => ({
  'content-type': 'text/xml; charset=utf-8',
  soapaction: `"${ACTION}/${operation}"`,
})
const HEADERS = { racuni: headersOf('racuni'), echo: headersOf('echo') }

/** The one element in the one Body of the Envelope that is the root, or undefined when it is not exactly that. */
export function soapContent(root: XmlElement): XmlElement | undefined {
  return contents(root)[0]
}

/** Whether the content of the Body is a SOAP fault (SOAP 1.1, 4.4). */
export const holdsFault = condition(`${BODY}/soap:Fault`)

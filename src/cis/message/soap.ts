import { SOAP_NAMESPACE } from '../namespaces.ts'

const ACTION = 'http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService'

export type Operation = 'racuni' | 'echo'

const BEFORE = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"><soapenv:Body>`,
)
const BEHIND = Buffer.from('</soapenv:Body></soapenv:Envelope>')

/** A SOAP 1.1 envelope around a message in UTF-8, document/literal. */
export function envelope(message: Buffer): Buffer {
  return Buffer.concat([BEFORE, message, BEHIND])
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

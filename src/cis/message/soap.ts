import { SOAP_NAMESPACE } from '../namespaces.ts'

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

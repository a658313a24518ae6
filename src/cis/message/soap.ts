import { SOAP_NAMESPACE } from '../namespaces.ts'
import { AUTHORITY_OPERATIONS } from './request-message.ts'

const ACTION = 'http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService'

const BEFORE = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"><soapenv:Body>`,
)
const BEHIND = Buffer.from('</soapenv:Body></soapenv:Envelope>')

/** A SOAP 1.1 envelope around a message in UTF-8, document/literal. */
export const envelope = (message: Buffer): Buffer => Buffer.concat([BEFORE, message, BEHIND])

/** The quotes around the action belong to it (SOAP 1.1, 6.1.1). */
const headersOf = (operation: string) => ({
  'content-type': 'text/xml; charset=utf-8',
  soapaction: `"${ACTION}/${operation}"`,
})

const OPERATIONS = ['racuni', 'echo', ...AUTHORITY_OPERATIONS] as const

export const SOAP_HEADERS = Object.fromEntries(OPERATIONS.map((name) => [name, headersOf(name)])) as Record<
  (typeof OPERATIONS)[number],
  ReturnType<typeof headersOf>
>

import { SOAP_NAMESPACE } from '../namespaces.ts'

/** What the service declares on each envelope, in its order. */
export const DECLARED = {
  regexp: 'http://exslt.org/regular-expressions',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
  xsd: 'http://www.w3.org/2001/XMLSchema',
  soap: SOAP_NAMESPACE,
}
export const declarations = (names: Record<string, string>) =>
  Object.entries(names)
    .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
    .join('')

export const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** A body that is an envelope as the service writes it, byte for byte, around content that matches. */
export function inUsualEnvelope(content: string): RegExp {
  const start = `<\\?xml version="1\\.0" encoding="UTF-8"\\?>\\n?<soap:Envelope${quoted(declarations(DECLARED))}><soap:Body>`
  return new RegExp(`^${start}${content}</soap:Body></soap:Envelope>\\n?$`)
}

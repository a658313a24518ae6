import type { XmlElement } from 'libxml2-wasm'
import { condition, elementsAt } from './xml-reader.ts'

const BODY = '/soap:Envelope[count(soap:Body) = 1]/soap:Body[count(*) = 1]'
const contents = elementsAt(`${BODY}/*`)

/** The one element in the one Body of the Envelope that is the root, or undefined when it is not exactly that. */
export const soapContent = (root: XmlElement): XmlElement | undefined => contents(root)[0]

/** Whether the content of the Body is a SOAP fault (SOAP 1.1, 4.4). */
export const holdsFault = condition(`${BODY}/soap:Fault`)

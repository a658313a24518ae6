import { expect, test } from 'vitest'
import { echoedText } from '../../../src/cis/message/echo.ts'
import { echoEnvelope } from '../../../src/simulator/soap.ts'
import { F73, inEnvelope, SOAP } from '../support/answers.ts'

const TEXT = 'fiskd 9d6f5bb6-da48-4fcd-a803-4586a025e0e4'
const echo = (text = TEXT) => `<tns:EchoResponse xmlns:tns="${F73}">${text}</tns:EchoResponse>`
const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

test.for<[what: string, body: string | Buffer, text?: string]>([
  ['in the envelope of the service', echoEnvelope(TEXT)],
  ['in another envelope', inEnvelope(echo())],
  ['with another prefix', echoEnvelope(TEXT).replaceAll('soap:', 'S:').replace('xmlns:soap', 'xmlns:S')],
  ['with one more declaration', echoEnvelope(TEXT).replace(`"${F73}"`, `"${F73}"${xsi}`)],
  ['on a line of its own', echoEnvelope(TEXT).replace('<soap:Body>', '<soap:Body>\n')],
  ['in another encoding', Buffer.from(inEnvelope(echo()).replace('UTF-8', 'UTF-16'), 'utf16le')],
  ['with a comment before it', inEnvelope(`<!-- -->${echo()}`)],
  ['with a header', inEnvelope(echo(), { header: '<soap:Header/>' })],
  ['of another text', inEnvelope(echo('<![CDATA[fiskd]]>')), 'fiskd'],
])('an echo %s is read', ([, body, text = TEXT]) => {
  expect(echoedText(Buffer.from(body))).toBe(text)
})

test.for<[what: string, xml: string]>([
  ['under another namespace', inEnvelope(echo().replace(F73, 'urn:x'))],
  ['in an envelope of SOAP 1.2', inEnvelope(echo()).replace(SOAP, 'http://www.w3.org/2003/05/soap-envelope')],
  ['beside another element', inEnvelope(`${echo()}<a/>`)],
  ['with an element in it', inEnvelope(echo(`<b>${TEXT}</b>`))],
  ['that declares a prefix twice', echoEnvelope(TEXT).replace(`"${F73}"`, `"${F73}" xmlns:tns="${F73}"`)],
  ['cut off', inEnvelope(echo()).slice(0, -10)],
  ['quoted on a page', `<html>${echo()}</html>`],
])('an echo %s is none', ([, xml]) => {
  expect(echoedText(Buffer.from(xml))).toBeUndefined()
})

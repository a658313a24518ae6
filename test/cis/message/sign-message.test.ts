import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { writeMessage } from '../../../src/cis/message/invoice-message.ts'
import { signMessage } from '../../../src/cis/message/sign-message.ts'
import { envelope } from '../../../src/cis/message/soap.ts'
import { ALGORITHMS } from '../../../src/cis/namespaces.ts'
import { OIBS, pki } from '../../support/pki.ts'
import { fullDocument, identityOf, message } from '../support/messages.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from '../support/xmlsec.ts'

const AUTHORITIES = pki.bundleDer.map((der) => new X509Certificate(der).toString())

const signedBytes = async (changes = {}) => signMessage(writeMessage(await message(changes)), await identityOf())
const signedMessage = async () => (await signedBytes()).toString()

test.skipIf(skipWithoutXmlsec)('xmlsec1 believes our signature, alone and in the envelope', async () => {
  const plain = await signedBytes()
  expect(await xmlsecBelieves(plain.toString(), 'RacunZahtjev', AUTHORITIES)).toBe(true)
  expect(await xmlsecBelieves(envelope(plain).toString(), 'RacunZahtjev', AUTHORITIES)).toBe(true)
})

test.skipIf(skipWithoutXmlsec)('every field and every awkward character survives signing', async () => {
  const full = envelope(await signedBytes({ document: fullDocument(), lateDelivery: true }))
  expect(await xmlsecBelieves(full.toString(), 'RacunZahtjev', AUTHORITIES)).toBe(true)
})

test.skipIf(skipWithoutXmlsec)('xmlsec1 refuses a message that was changed after signing', async () => {
  const changed = (await signedMessage()).replace('<tns:IznosUkupno>2.50', '<tns:IznosUkupno>2.51')
  expect(await xmlsecBelieves(changed, 'RacunZahtjev', AUTHORITIES)).toBe(false)
})

test('requests are signed with exclusive canonicalization and SHA-256, everywhere', async () => {
  const xml = await signedMessage()
  expect([...xml.matchAll(/<(\w+) Algorithm="([^"]+)"/g)].map(([, name, algorithm]) => [name, algorithm])).toEqual([
    ['CanonicalizationMethod', ALGORITHMS.exclusiveC14n],
    ['SignatureMethod', ALGORITHMS.rsaSha256],
    ['Transform', ALGORITHMS.envelopedSignature],
    ['Transform', ALGORITHMS.exclusiveC14n],
    ['DigestMethod', ALGORITHMS.sha256],
  ])
  expect(xml).not.toMatch(/sha1/i)
})

test('the signature is the last child of the root, without a prefix, and refers to the root alone', async () => {
  const { id, xml: unsigned } = writeMessage(await message())
  const xml = await signedMessage()
  expect(xml).toMatch(/<\/tns:Racun><Signature xmlns="[^"]+">.*<\/Signature><\/tns:RacunZahtjev>$/s)
  expect(xml.match(/URI="[^"]*"/g)).toEqual([`URI="#${id}"`])
  expect(xml.replace(/<Signature.*<\/Signature>/s, '')).toBe(unsigned)
})

test('the certificate stands in the signature with its issuer in RFC 2253 order and its serial in decimal', async () => {
  const xml = await signedMessage()
  const { certificateDer } = await identityOf()
  const serial = BigInt(`0x${new X509Certificate(certificateDer).serialNumber}`)
  expect(xml).toContain(
    `<KeyInfo><X509Data><X509Certificate>${certificateDer.toString('base64')}</X509Certificate><X509IssuerSerial>` +
      '<X509IssuerName>CN=Simulator CA 2020,O=Simulator CIS,C=HR</X509IssuerName>' +
      `<X509SerialNumber>${serial}</X509SerialNumber></X509IssuerSerial></X509Data></KeyInfo>`,
  )
})

test('two companies sign with their own certificates', async () => {
  const first = await signedMessage()
  const second = await signMessage(writeMessage(await message()), await identityOf(OIBS[1]))
  expect(/<X509Certificate>[^<]+/.exec(first)?.[0]).not.toBe(/<X509Certificate>[^<]+/.exec(second.toString())?.[0])
})

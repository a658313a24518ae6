import { createHash, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { writeMessage } from '../../../src/cis/message/invoice-message.ts'
import { signMessage } from '../../../src/cis/message/sign-message.ts'
import { envelope } from '../../../src/cis/message/soap.ts'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'
import type { FiscalMessage } from '../../../src/fiscal/ports/tax-authority.ts'
import { OIBS, pki } from '../../support/pki.ts'
import { fullDocument, identityOf, message } from '../support/messages.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from '../support/xmlsec.ts'

/**
 * Requests are written in canonical form and never parsed before they are sent. Three programs that do parse and
 * canonicalize them are asked here whether what was signed is what they read: xml-crypto, libxml2 and xmlsec1.
 */
const DS = { ds: 'http://www.w3.org/2000/09/xmldsig#' }
const AUTHORITIES = pki.bundleDer.map((der) => new X509Certificate(der).toString())
const identity = await identityOf()
const certificate = new X509Certificate(identity.certificateDer).toString()

const sign = async (sent: FiscalMessage) => (await signMessage(writeMessage(sent), identity)).toString()
const enveloped = (xml: string) => envelope(Buffer.from(xml)).toString()

/** By libxml2: the digest of the message without its signature, in exclusive canonical form, beside the signed one. */
function digestsOf(xml: string): { read: string; signed: string } {
  const parsed = XmlDocument.fromString(xml)
  try {
    const message = parsed.get('//*[local-name()="RacunZahtjev"]') as XmlElement
    const signature = message.get('ds:Signature', DS) as XmlElement
    const signed = (signature.get('.//ds:DigestValue', DS) as XmlElement).content
    signature.remove()
    const canonical = message.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 })
    return { read: createHash('sha256').update(canonical, 'utf8').digest('base64'), signed }
  } finally {
    parsed.dispose()
  }
}

function xmlCryptoBelieves(xml: string): boolean {
  const signature = /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? ''
  const verifier = new SignedXml({ publicCert: certificate })
  verifier.loadSignature(signature)
  return verifier.checkSignature(xml)
}

function expectAgreement(xml: string): void {
  const { read, signed } = digestsOf(xml)
  expect(read).toBe(signed)
  expect(xmlCryptoBelieves(xml)).toBe(true)
}

/** Every character that XML 1.0 has, and so the schema: most of them once in a while, the awkward ones often. */
const character = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...'&<>"\'\r\n\t \u0085\u2028\u2029\u00a0\ufeff]čž€', '\r\n', '&#13;', ']]>'),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0x20, max: 0xd7ff }).map((point) => String.fromCodePoint(point)) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xfffd }).map((point) => String.fromCodePoint(point)) },
  { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) },
)
const text = fc.array(character, { minLength: 1, maxLength: 100 }).map((characters) => characters.join(''))
const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((value) => (value / 100).toFixed(2))
const some = fc.option(cents)
const taxLine = fc.record({ rate: fc.constantFrom('25.00', '13.00', '5.00', '0.00'), base: cents, amount: cents })
const lines = fc.array(taxLine, { maxLength: 3 })

const anyDocument: fc.Arbitrary<FiscalDocument> = fc
  .record({
    vatRegistered: fc.boolean(),
    sequenceMark: fc.constantFrom('N' as const, 'P' as const),
    vat: lines,
    consumptionTax: lines,
    otherTaxes: fc.array(fc.record({ name: text, rate: cents, base: cents, amount: cents }), { maxLength: 2 }),
    fees: fc.array(fc.record({ name: text, amount: cents }), { maxLength: 2 }),
    vatExemptAmount: some,
    marginAmount: some,
    nonTaxableAmount: some,
    total: cents,
    paymentMethod: fc.constantFrom('G', 'K', 'T', 'O') as fc.Arbitrary<FiscalDocument['paymentMethod']>,
    paragonNumber: fc.option(text),
    specialPurpose: fc.option(text),
    recipientOib: fc.option(fc.constant(OIBS[1])),
  })
  .map((changes) => fullDocument(changes))

const anyMessage = fc
  .record({ document: anyDocument, messageId: fc.uuid(), lateDelivery: fc.boolean() })
  .map((changes): FiscalMessage => ({ mode: 'test', sentAt: changes.document.occurredAt, identity, ...changes }))

test('xml-crypto and libxml2 read out of any message just what was signed, alone and in the envelope', async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage, async (sent) => {
      const xml = await sign(sent)
      expectAgreement(xml)
      expectAgreement(enveloped(xml))
    }),
    { numRuns: 150 },
  )
})

test.skipIf(skipWithoutXmlsec)('xmlsec1 believes the signature of any message', async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage, async (sent) => {
      expect(await xmlsecBelieves(enveloped(await sign(sent)), 'RacunZahtjev', AUTHORITIES)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

/** Each plane by itself: a text of all at once is longer than parsers take. */
const PLANES = Array.from({ length: 17 }, (_, plane) => [plane * 0x10000, plane * 0x10000 + 0xffff] as const)

function charactersOf(first: number, last: number): string {
  let characters = ''
  for (let point = first; point <= last; point++) {
    const isXml = /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(String.fromCodePoint(point))
    if (isXml) characters += String.fromCodePoint(point)
  }
  return characters
}

test('every character that XML allows is signed as xml-crypto and libxml2 read it', async () => {
  for (const [first, last] of PLANES) {
    const document = fullDocument({ specialPurpose: charactersOf(first, last) })
    expectAgreement(await sign(await message({ document })))
  }
})

test.skipIf(skipWithoutXmlsec)('every character that XML allows is signed as xmlsec1 reads it', async () => {
  for (const [first, last] of PLANES) {
    const document = fullDocument({ specialPurpose: charactersOf(first, last) })
    const xml = await sign(await message({ document }))
    expect(await xmlsecBelieves(xml, 'RacunZahtjev', AUTHORITIES)).toBe(true)
  }
})

test('the judges notice one character that is not as it was signed', async () => {
  const xml = await sign(await message({ document: fullDocument({ specialPurpose: 'a\u0085b' }) }))
  const changed = xml.replace('a&#x85;b', 'a b')
  expect(changed).not.toBe(xml)
  const { read, signed } = digestsOf(changed)
  expect(read).not.toBe(signed)
  expect(xmlCryptoBelieves(changed)).toBe(false)
})

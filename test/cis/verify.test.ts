import { expect, test } from 'vitest'
import { ALGORITHMS } from '../../src/cis/algorithms.ts'
import { SIGNATURE_NAMESPACE } from '../../src/cis/namespaces.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { answer, F73, greske, inEnvelope, JIR, racunOdgovor, signed } from './support/answers.ts'
import { CONFIRMED, judged, UNBELIEVABLE } from './support/judged.ts'

const FORGED = 'f0f0f0f0-1111-4222-8333-444444444444'

const GENUINE = answer()
const SIGNATURE = /<Signature .*<\/Signature>/s.exec(GENUINE)?.[0] ?? ''
const BARE = racunOdgovor()
const FORGED_ANSWER = racunOdgovor({ id: 'G2', said: `<tns:Jir>${FORGED}</tns:Jir>` })
const moved = (xml: string) => `<soap:Header>${xml}</soap:Header>`
const withChild = (xml: string, child: string) => xml.replace('</tns:RacunOdgovor>', `${child}</tns:RacunOdgovor>`)
const signedAnswer = /<tns:RacunOdgovor.*<\/tns:RacunOdgovor>/s.exec(GENUINE)?.[0] ?? ''

const FORGERIES: [what: string, reason: string, forge: () => string][] = [
  ['without a signature', 'there is not exactly one signature', () => inEnvelope(BARE)],
  [
    'an error without a signature',
    'there is not exactly one signature',
    () => inEnvelope(racunOdgovor({ said: greske(['s001', 'x']) })),
  ],
  ['changed after signing', 'the answer is not the one that was signed', () => GENUINE.replace(JIR, FORGED)],
  [
    'with another signature value',
    'the signature is wrong',
    () => GENUINE.replace('<SignatureValue>', '<SignatureValue>AAAA'),
  ],
  ['with a second signature', 'there is not exactly one signature', () => withChild(GENUINE, SIGNATURE)],
  [
    'with the signature outside',
    'there is not exactly one Signature',
    () => inEnvelope(BARE, { header: moved(SIGNATURE) }),
  ],
  [
    'with an Object in the signature',
    'Signature is not built as it must be',
    () => GENUINE.replace('</Signature>', '<Object/></Signature>'),
  ],
  [
    'with a second SignedInfo',
    'Signature is not built as it must be',
    () => GENUINE.replace('<SignatureValue>', `${/<SignedInfo.*<\/SignedInfo>/s.exec(SIGNATURE)?.[0]}<SignatureValue>`),
  ],
  [
    'forged in the body, genuine in the header',
    'there is not exactly one Signature',
    () => inEnvelope(FORGED_ANSWER, { header: moved(signedAnswer) }),
  ],
  [
    'forged before the genuine one',
    'the answer is not the only element',
    () => inEnvelope(FORGED_ANSWER + signedAnswer),
  ],
  [
    'genuine before the forged one',
    'the answer is not the only element',
    () => inEnvelope(signedAnswer + FORGED_ANSWER),
  ],
  [
    'genuine inside the forged one',
    'there is not exactly one Signature',
    () => inEnvelope(withChild(FORGED_ANSWER, signedAnswer)),
  ],
  [
    'forged with the signature of what moved to the header',
    'the signature refers to something else',
    () => inEnvelope(withChild(FORGED_ANSWER, SIGNATURE), { header: moved(BARE) }),
  ],
  [
    'forged with the Id of what moved to the header',
    'two elements share one Id',
    () => inEnvelope(withChild(FORGED_ANSWER.replace('"G2"', '"G1"'), SIGNATURE), { header: moved(BARE) }),
  ],
  [
    'with its Id on another element as ID',
    'two elements share one Id',
    () => inEnvelope(signedAnswer, { header: '<soap:Header ID="G1"/>' }),
  ],
  [
    'in a second body',
    'the answer is not the only element',
    () => GENUINE.replace('<soap:Body>', '<soap:Body/><soap:Body>'),
  ],
  ['without an envelope', 'the answer is not the only element', () => signed(BARE)],
  [
    'in another envelope',
    'the answer is not the only element',
    () => GENUINE.replace('schemas.xmlsoap.org', 'www.example.org'),
  ],
  [
    'of another name space',
    'the answer is not the only element',
    () => signed(inEnvelope(BARE.replace(F73, `${F73}x`))),
  ],
  [
    'signed in part',
    'the signature refers to something else',
    () =>
      signed(inEnvelope(BARE.replace('<tns:Zaglavlje>', '<tns:Zaglavlje Id="G9">')), {
        xpath: "//*[local-name()='Zaglavlje']",
      }),
  ],
  [
    'about another message',
    'it answers another message',
    () => answer({ messageId: '5f0c8d3a-6f5e-4d3b-9a41-0c1f6d2b7e91' }),
  ],
  ['about no message', 'it answers another message', () => answer({ messageId: '' })],
  [
    'with a JIR that is no UUID',
    'its JIR is not a UUID',
    () => answer({ said: '<tns:Jir>9d6f5bb6da484fcda8034586a025e0e4</tns:Jir>' }),
  ],
  [
    'with a JIR in pieces',
    'Jir holds more than text',
    () => answer({ said: `<tns:Jir>${JIR.slice(0, 9)}<b/>${JIR.slice(9)}</tns:Jir>` }),
  ],
  [
    'with two JIRs',
    'there is not exactly one Jir',
    () => answer({ said: `<tns:Jir>${JIR}</tns:Jir><tns:Jir>${FORGED}</tns:Jir>` }),
  ],
  ['that says nothing', 'it holds neither a JIR nor an error', () => answer({ said: '' })],
  ['with an empty list of errors', 'it holds neither a JIR nor an error', () => answer({ said: '<tns:Greske/>' })],
  ['with a DOCTYPE', 'it holds a DOCTYPE', () => GENUINE.replace('?>', '?><!DOCTYPE Envelope>')],
  [
    'with an entity',
    'it holds a DOCTYPE',
    () => GENUINE.replace('?>', `?><!DOCTYPE Envelope [<!ENTITY j "${JIR}">]>`).replace(`>${JIR}<`, '>&j;<'),
  ],
  ['not well-formed', 'it is not well-formed XML', () => GENUINE.replace('</soap:Body>', '')],
  [
    'signed with SHA-1',
    'SignatureMethod names an algorithm',
    () => answer({}, { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
  ],
  [
    'digested with SHA-1',
    'DigestMethod names an algorithm',
    () => answer({}, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
  ],
  [
    'canonicalized with comments',
    'the canonicalization is not an allowed one',
    () => answer({}, { c14n: `${ALGORITHMS.inclusiveC14n}#WithComments` }),
  ],
  [
    'with transforms in another order',
    'Transform names an algorithm',
    () => answer({}, { transforms: [ALGORITHMS.inclusiveC14n, ALGORITHMS.envelopedSignature] }),
  ],
  [
    'with one transform',
    'Transforms is not built as it must be',
    () => answer({}, { transforms: [ALGORITHMS.envelopedSignature] }),
  ],
  [
    'with an XPath transform',
    'Transform names an algorithm',
    () =>
      GENUINE.replace('xmldsig#enveloped-signature', 'xmldsig-filter2').replace(
        'xmldsig-filter2',
        'REC-xpath-19991116',
      ),
  ],
  [
    'with a parameter in a transform',
    'Transform has parameters',
    () => GENUINE.replace(/(<Transform Algorithm="[^"]+c14n[^"]+")\/>/, '$1><x/></Transform>'),
  ],
  [
    'with an algorithm named like a property of objects',
    'the canonicalization is not an allowed one',
    () => GENUINE.replaceAll(ALGORITHMS.inclusiveC14n, 'constructor'),
  ],
  ['without a certificate', 'no certificate in it bears the name', () => answer({}, { certificates: [] })],
]

test.for(FORGERIES)('an answer %s is never believed: %s', async ([, reason, forge]) => {
  const outcome = await judged(forge())
  expect(outcome).toMatchObject(UNBELIEVABLE)
  expect(outcome).toMatchObject({ message: expect.stringContaining(reason) })
  expect(JSON.stringify(outcome)).not.toMatch(/[<>]|9d6f5bb6/)
})

test('a comment inside the JIR does not change what is read', async () => {
  expect(await judged(GENUINE.replace(JIR, `${JIR.slice(0, 9)}<!-- x -->${JIR.slice(9)}`))).toEqual(CONFIRMED)
  const longer = answer({ said: `<tns:Jir>${JIR}<!-- x -->0</tns:Jir>` })
  expect(await judged(longer)).toMatchObject(UNBELIEVABLE)
})

test('a processing instruction inside the JIR is refused, signed or not', async () => {
  expect(await judged(GENUINE.replace(JIR, `${JIR}<?x y?>`))).toMatchObject(UNBELIEVABLE)
  expect(await judged(answer({ said: `<tns:Jir>${JIR}<?x y?></tns:Jir>` }))).toMatchObject(UNBELIEVABLE)
})

test('a CDATA section inside the JIR is read as the text that was signed', async () => {
  expect(await judged(GENUINE.replace(JIR, `<![CDATA[${JIR}]]>`))).toEqual(CONFIRMED)
})

test('a CDATA section in the signature value is read as the text that it is', async () => {
  const boxed = (element: string) =>
    GENUINE.replace(new RegExp(`<${element}>([^<]*)<`), (_, text) => `<${element}><![CDATA[${text}]]><`)
  expect(await judged(boxed('SignatureValue'))).toEqual(CONFIRMED)
})

test.each([true, false])(
  'a signature that has its name space from the envelope, and is wrong, is no cut: %j',
  async (framed) => {
    const inherited = GENUINE.replace('<soap:Envelope ', `<soap:Envelope xmlns="${SIGNATURE_NAMESPACE}" `)
      .replace(`<Signature xmlns="${SIGNATURE_NAMESPACE}">`, '<Signature>')
      .replace(JIR, FORGED)
    expect(inherited).toContain('<Signature>')
    expect(await judged(inherited, { framed })).toMatchObject({
      ...UNBELIEVABLE,
      message: expect.stringContaining('the answer is not the one that was signed'),
    })
  },
)

test('whoever signs instead of the tax authority is not believed, whatever certificate comes along', async () => {
  const strangers = [
    await pki.issueSigner({ cn: 'fiskalcistest', fromOtherCa: true }),
    await pki.issueSigner({ cn: 'somebody else' }),
    await pki.issueSigner({ cn: 'fiskalcis' }),
    await pki.issueSigner({ cn: 'fiskalcistest', notAfter: new Date(Date.now() - 60_000) }),
    await pki.issueSigner({ cn: 'fiskalcistest', notBefore: new Date(Date.now() + 3_600_000) }),
    await certificateOf(OIBS[0]),
  ]
  for (const signer of strangers) {
    expect(await judged(answer({}, { signer }))).toMatchObject(UNBELIEVABLE)
    // The genuine certificate beside a stranger's signature must not lend it its name.
    const certificates = [pki.signer.certPem, signer.certPem]
    expect(await judged(answer({}, { signer, certificates }))).toMatchObject(UNBELIEVABLE)
  }
})

test('the chain of the signer may come along, two certificates of its name may not', async () => {
  const { certPem } = pki.signer
  const { root, issuing } = pki.toJSON()
  expect(await judged(answer({}, { certificates: [issuing.certPem, certPem, root.certPem] }))).toEqual(CONFIRMED)
  const twin = await pki.issueSigner({ cn: 'fiskalcistest' })
  expect(await judged(answer({}, { certificates: [certPem, twin.certPem] }))).toMatchObject(UNBELIEVABLE)
})

import { createHmac, createSign, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { ALGORITHMS } from '../../../src/cis/namespaces.ts'
import { certificateOf, OIBS, pki, withUnknownKey } from '../../support/pki.ts'
import { answer, F73, inEnvelope, JIR, racunOdgovor, signed } from './answers.ts'
import { ENCODINGS } from './encodings.ts'
import { type HandSigning, handSigned, hashed, rsa, SHA1 } from './hand-signed.ts'

export const FORGED = 'f0f0f0f0-1111-4222-8333-444444444444'

/** @param said what the answer says: a JIR or errors */
type Forge = (said: string) => string | Buffer | Promise<string>

const genuine = (said: string) => answer({ said })
const bare = (said: string) => racunOdgovor({ said })
const forgedOne = (said: string) => racunOdgovor({ id: 'G2', said: said.replace(JIR, FORGED).replace('s001', 's004') })
const signatureIn = (xml: string) => /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? ''
const answerIn = (xml: string) => /<tns:RacunOdgovor.*<\/tns:RacunOdgovor>/s.exec(xml)?.[0] ?? ''
const moved = (xml: string) => `<soap:Header>${xml}</soap:Header>`
const withChild = (xml: string, child: string) => xml.replace('</tns:RacunOdgovor>', `${child}</tns:RacunOdgovor>`)
const changed = (xml: string) => xml.replace(JIR, FORGED).replace('>s001<', '>s004<')
const byHand =
  (signing: HandSigning): Forge =>
  (said) =>
    handSigned(inEnvelope(bare(said)), signing)
const enveloped = `<Transform Algorithm="${ALGORITHMS.envelopedSignature}"/>`
const inclusive = `<Transform Algorithm="${ALGORITHMS.inclusiveC14n}"/>`
const moreDsig = 'http://www.w3.org/2001/04/xmldsig-more#'
const signedBy =
  (make: () => Promise<{ keyPem: string; certPem: string }>, also: string[] = []): Forge =>
  async (said) => {
    const signer = await make()
    return answer({ said }, { signer, certificates: [...also, signer.certPem] })
  }
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const stranger = { cn: 'fiskalcistest', fromOtherCa: true } as const
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * Ways to make an answer that must not be believed, and why it is not. Each is tried with a JIR and with errors in it.
 * What `reason` names is the first condition of docs/spec/cis.md (XML signature) that does not hold.
 */
export const FORGERIES: readonly [what: string, reason: string, forge: Forge][] = [
  // Without a signature of its own.
  ['has no signature', 'there is not exactly one signature', (said) => inEnvelope(bare(said))],
  [
    'has an empty signature',
    'Signature is not built as it must be',
    (said) => inEnvelope(withChild(bare(said), '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>')),
  ],
  [
    'has two signatures',
    'there is not exactly one signature',
    (said) => withChild(genuine(said), signatureIn(genuine(said))),
  ],
  [
    'has its signature outside',
    'there is not exactly one Signature',
    (said) => inEnvelope(bare(said), { header: moved(signatureIn(genuine(said))) }),
  ],
  [
    'has its signature one level down',
    'there is not exactly one Signature',
    (said) => genuine(said).replace('<Signature ', '<x><Signature ').replace('</Signature>', '</Signature></x>'),
  ],
  [
    'has the signature of another answer',
    'the signature refers to something else',
    (said) => inEnvelope(withChild(racunOdgovor({ id: 'G7', said }), signatureIn(genuine(said)))),
  ],
  [
    'has a signature in another name space',
    'there is not exactly one signature',
    (said) => genuine(said).replace('xmldsig#">', 'xmldsig-x#">'),
  ],
  // Changed after it was signed.
  ['was changed after it was signed', 'the answer is not the one that was signed', (said) => changed(genuine(said))],
  [
    'was changed after it was signed with SHA-1',
    'the answer is not the one that was signed',
    (said) => changed(handSigned(inEnvelope(bare(said)), SHA1)),
  ],
  [
    'was given another message id',
    'the answer is not the one that was signed',
    (said) => genuine(said).replace('<tns:IdPoruke>5', '<tns:IdPoruke>6'),
  ],
  [
    'was given another time',
    'the answer is not the one that was signed',
    (said) => genuine(said).replace('01.07.2026T', '02.07.2026T'),
  ],
  [
    'was put into an envelope with more name spaces',
    'the answer is not the one that was signed',
    (said) => genuine(said).replace('<soap:Envelope ', '<soap:Envelope xmlns:more="urn:more" '),
  ],
  [
    'was signed alone and put into an envelope',
    'the answer is not the one that was signed',
    (said) => inEnvelope(signed(bare(said))),
  ],
  [
    'has another signature value',
    'the signature is wrong',
    (said) => genuine(said).replace('<SignatureValue>', '<SignatureValue>AAAA'),
  ],
  [
    'has an empty signature value',
    'the signature is wrong',
    (said) => genuine(said).replace(/<SignatureValue>[^<]*/, '<SignatureValue>'),
  ],
  [
    'has a signature value that is no base64',
    'SignatureValue is not base64',
    (said) => genuine(said).replace('<SignatureValue>', '<SignatureValue>*'),
  ],
  ['has the digest of nothing', 'the answer is not the one that was signed', byHand({ digest: () => '' })],
  [
    'has the beginning of its digest',
    'the answer is not the one that was signed',
    byHand({ digest: (content) => hashed('sha256')(content).slice(0, 4) }),
  ],
  [
    'has a digest with a word more',
    'DigestValue is not base64',
    byHand({ digest: (content) => `${hashed('sha256')(content)} x!` }),
  ],
  [
    'has a signature over another SignedInfo',
    'the signature is wrong',
    byHand({ value: (info) => rsa('sha256')(`${info} `) }),
  ],
  // A genuine signature about something else (signature wrapping).
  [
    'is forged in the body and genuine in the header',
    'there is not exactly one Signature',
    (said) => inEnvelope(forgedOne(said), { header: moved(answerIn(genuine(said))) }),
  ],
  [
    'is forged before the genuine one',
    'the answer is not the only element',
    (said) => inEnvelope(forgedOne(said) + answerIn(genuine(said))),
  ],
  [
    'is forged behind the genuine one',
    'the answer is not the only element',
    (said) => inEnvelope(answerIn(genuine(said)) + forgedOne(said)),
  ],
  [
    'is forged around the genuine one',
    'there is not exactly one Signature',
    (said) => inEnvelope(withChild(forgedOne(said), answerIn(genuine(said)))),
  ],
  [
    'is forged with the signature of what moved to the header',
    'the signature refers to something else',
    (said) => inEnvelope(withChild(forgedOne(said), signatureIn(genuine(said))), { header: moved(bare(said)) }),
  ],
  [
    'is forged with the Id of what moved to the header',
    'two elements share one Id',
    (said) =>
      inEnvelope(withChild(forgedOne(said).replace('"G2"', '"G1"'), signatureIn(genuine(said))), {
        header: moved(bare(said)),
      }),
  ],
  [
    'shares its Id with an ID elsewhere',
    'two elements share one Id',
    (said) => inEnvelope(answerIn(genuine(said)), { header: '<soap:Header ID="G1"/>' }),
  ],
  [
    'shares its Id with an xml:id elsewhere',
    'two elements share one Id',
    (said) => inEnvelope(answerIn(genuine(said)), { header: '<soap:Header xml:id="G1"/>' }),
  ],
  ['has no Id', 'the answer has no Id', (said) => genuine(said).replace(' Id="G1"', '')],
  [
    'is in a second body',
    'the answer is not the only element',
    (said) => genuine(said).replace('<soap:Body>', '<soap:Body/><soap:Body>'),
  ],
  [
    'is in the header',
    'the answer is not the only element',
    (said) => genuine(said).replace('<soap:Body>', '<soap:Header>').replace('</soap:Body>', '</soap:Header>'),
  ],
  ['has no envelope', 'the answer is not the only element', (said) => signed(bare(said))],
  [
    'is in an envelope of another name space',
    'the answer is not the only element',
    (said) => genuine(said).replace('schemas.xmlsoap.org', 'www.example.org'),
  ],
  [
    'is in an envelope of SOAP 1.2',
    'the answer is not the only element',
    (said) =>
      genuine(said).replace('http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope'),
  ],
  [
    'is of another name space',
    'the answer is not the only element',
    (said) => signed(inEnvelope(bare(said).replace(F73, `${F73}x`))),
  ],
  [
    'is signed in part',
    'the signature refers to something else',
    (said) =>
      signed(inEnvelope(bare(said).replace('<tns:Zaglavlje>', '<tns:Zaglavlje Id="G9">')), {
        xpath: "//*[local-name()='Zaglavlje']",
      }),
  ],
  ['is signed as a whole document', 'the signature refers to something else', byHand({ uri: '' })],
  ['is signed by a path', 'the signature refers to something else', byHand({ uri: "#xpointer(id('G1'))" })],
  ['is signed at another place', 'the signature refers to something else', byHand({ uri: 'https://example.org/#G1' })],
  [
    'has two references',
    'SignedInfo is not built as it must be',
    byHand({
      more: `<Reference URI="#G1"><Transforms>${enveloped}${inclusive}</Transforms><DigestMethod Algorithm="${ALGORITHMS.sha256}"/><DigestValue>AAAA</DigestValue></Reference>`,
    }),
  ],
  [
    'has an Object in its signature',
    'Signature is not built as it must be',
    (said) => genuine(said).replace('</Signature>', '<Object/></Signature>'),
  ],
  [
    'has a second SignedInfo',
    'Signature is not built as it must be',
    (said) =>
      genuine(said).replace(
        '<SignatureValue>',
        `${/<SignedInfo.*<\/SignedInfo>/s.exec(genuine(said))?.[0]}<SignatureValue>`,
      ),
  ],
  // Algorithms that are not allowed.
  [
    'is signed with HMAC by the public key',
    'SignatureMethod names an algorithm',
    byHand({
      method: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
      value: (info) =>
        createHmac('sha1', new X509Certificate(pki.signer.certPem).publicKey.export({ type: 'spki', format: 'der' }))
          .update(info)
          .digest('base64'),
    }),
  ],
  [
    'is signed with HMAC-SHA256 by nothing',
    'SignatureMethod names an algorithm',
    byHand({
      method: `${moreDsig}hmac-sha256`,
      value: (info) => createHmac('sha256', '').update(info).digest('base64'),
    }),
  ],
  [
    'is signed with MD5',
    'SignatureMethod names an algorithm',
    byHand({ method: `${moreDsig}rsa-md5`, value: rsa('md5') }),
  ],
  [
    'is signed with SHA-512',
    'SignatureMethod names an algorithm',
    byHand({ method: `${moreDsig}rsa-sha512`, value: rsa('sha512') }),
  ],
  [
    'is signed with SHA-224',
    'SignatureMethod names an algorithm',
    byHand({ method: `${moreDsig}rsa-sha224`, value: rsa('sha224') }),
  ],
  ['is signed by an algorithm without a name', 'SignatureMethod names an algorithm', byHand({ method: '' })],
  [
    'is digested with SHA-1 and signed with SHA-256',
    'DigestMethod names an algorithm',
    byHand({ digestMethod: SHA1.digestMethod as string, digest: hashed('sha1') }),
  ],
  [
    'is digested with SHA-256 and signed with SHA-1',
    'DigestMethod names an algorithm',
    byHand({ method: SHA1.method as string, value: rsa('sha1') }),
  ],
  [
    'is digested with MD5',
    'DigestMethod names an algorithm',
    byHand({ digestMethod: `${moreDsig}md5`, digest: hashed('md5') }),
  ],
  [
    'is digested with SHA-512',
    'DigestMethod names an algorithm',
    byHand({ digestMethod: 'http://www.w3.org/2001/04/xmlenc#sha512', digest: hashed('sha512') }),
  ],
  ['names SHA-1 and is signed with SHA-256', 'the signature is wrong', byHand({ ...SHA1, value: rsa('sha256') })],
  ['names SHA-256 and is signed with SHA-1', 'the signature is wrong', byHand({ value: rsa('sha1') })],
  [
    'is canonicalized with comments',
    'the canonicalization is not an allowed one',
    byHand({ c14n: `${ALGORITHMS.inclusiveC14n}#WithComments` }),
  ],
  [
    'is canonicalized by version 1.1',
    'the canonicalization is not an allowed one',
    byHand({ c14n: 'http://www.w3.org/2006/12/xml-c14n11' }),
  ],
  [
    'is canonicalized by a property of objects',
    'the canonicalization is not an allowed one',
    (said) => genuine(said).replaceAll(ALGORITHMS.inclusiveC14n, 'constructor'),
  ],
  [
    'has its transforms in another order',
    'Transform names an algorithm',
    byHand({ transforms: inclusive + enveloped }),
  ],
  ['has one transform', 'Transforms is not built as it must be', byHand({ transforms: enveloped })],
  [
    'has three transforms',
    'Transforms is not built as it must be',
    byHand({ transforms: enveloped + inclusive + inclusive }),
  ],
  ['has no transform', 'Transforms is not built as it must be', byHand({ transforms: '' })],
  [
    'has an XPath transform',
    'Transform names an algorithm',
    byHand({ transforms: `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/>${inclusive}` }),
  ],
  [
    'has an XSLT transform',
    'Transform names an algorithm',
    byHand({ transforms: `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>${inclusive}` }),
  ],
  [
    'has a base64 transform',
    'the canonicalization is not an allowed one',
    byHand({ transforms: `${enveloped}<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>` }),
  ],
  [
    'has a parameter in a transform',
    'Transform has parameters',
    byHand({
      transforms: `${enveloped}<Transform Algorithm="${ALGORITHMS.exclusiveC14n}"><InclusiveNamespaces xmlns="${ALGORITHMS.exclusiveC14n}" PrefixList="soap"/></Transform>`,
    }),
  ],
  // Signers that nobody trusts.
  ['brings no certificate', 'no certificate in it bears the name', (said) => answer({ said }, { certificates: [] })],
  [
    'brings a bare key instead of a certificate',
    'no certificate in it bears the name',
    byHand({ keyInfo: '<KeyName>fiskalcistest</KeyName>' }),
  ],
  [
    'brings a certificate that cannot be read',
    'a certificate in it cannot be read',
    byHand({ keyInfo: '<X509Data><X509Certificate>AAAA</X509Certificate></X509Data>' }),
  ],
  [
    'is signed by a namesake whose key is of an unknown kind',
    'the signer has a key of type unknown, and RSA alone is taken',
    signedBy(async () => ({ ...pki.signer, certPem: withUnknownKey(pki.signer.certPem) })),
  ],
  [
    'is signed by a signer who is not named, a key of an unknown kind beside it',
    'no certificate in it bears the name',
    signedBy(() => pki.issueSigner({ cn: 'somebody else' }), [withUnknownKey(pki.toJSON().issuing.certPem)]),
  ],
  [
    'is signed by a namesake of another authority',
    'does not chain to the trust bundle',
    signedBy(() => pki.issueSigner(stranger)),
  ],
  [
    'is signed by a namesake, the genuine certificate beside it',
    'more than one certificate',
    signedBy(() => pki.issueSigner(stranger), [pki.signer.certPem]),
  ],
  [
    'is signed by somebody else of the same authority',
    'no certificate in it bears the name',
    signedBy(() => pki.issueSigner({ cn: 'somebody else' })),
  ],
  [
    'is signed by somebody else, the genuine certificate beside it',
    'the signature is wrong',
    signedBy(() => pki.issueSigner({ cn: 'somebody else' }), [pki.signer.certPem]),
  ],
  [
    'is signed by the signer of the other mode',
    'no certificate in it bears the name',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcis' })),
  ],
  [
    'is signed by another company, whose certificate bears the name',
    'is not HR02994650199 by organizationIdentifier',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcistest', organizationIdentifier: 'VATHR-12345678903' })),
  ],
  [
    'is signed under the name by a certificate without organizationIdentifier',
    'is not HR02994650199 by organizationIdentifier',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcistest', organizationIdentifier: null })),
  ],
  [
    'is signed under the name by a certificate that has the identifier in its organization',
    'is not HR02994650199 by organizationIdentifier',
    signedBy(() =>
      pki.issueSigner({ cn: 'fiskalcistest', organization: 'APIS IT HR02994650199', organizationIdentifier: null }),
    ),
  ],
  [
    'is signed under the name with the identifier of the live service',
    'is not HR02994650199 by organizationIdentifier',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcistest', organizationIdentifier: 'HR18683136487' })),
  ],
  [
    'is signed by a signer who has run out',
    'does not chain to the trust bundle',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcistest', notAfter: hoursAhead(-1) })),
  ],
  [
    'is signed by a signer of tomorrow',
    'does not chain to the trust bundle',
    signedBy(() => pki.issueSigner({ cn: 'fiskalcistest', notBefore: hoursAhead(1) })),
  ],
  ['is signed by the company itself', 'no certificate in it bears the name', signedBy(() => certificateOf(OIBS[0]))],
  [
    'is signed by the issuing authority itself',
    'no certificate in it bears the name',
    signedBy(async () => pki.toJSON().issuing),
  ],
  [
    'is signed by another key than its certificate has',
    'the signature is wrong',
    byHand({ value: (info) => createSign('RSA-SHA256').update(info).sign(otherKey, 'base64') }),
  ],
  [
    'is signed with SHA-1 by a namesake of another authority',
    'does not chain to the trust bundle',
    async (said) => {
      const { certPem, keyPem } = await pki.issueSigner(stranger)
      const keyInfo = `<X509Data><X509Certificate>${certPem.replace(/-----[A-Z ]+-----|\s/g, '')}</X509Certificate></X509Data>`
      const value = (info: string) => createSign('RSA-SHA1').update(info).sign(keyPem, 'base64')
      return handSigned(inEnvelope(bare(said)), { ...SHA1, value, keyInfo })
    },
  ],
  // Genuine signatures about another message, or about none.
  [
    'is about another message',
    'it answers another message',
    (said) => answer({ said, messageId: '5f0c8d3a-6f5e-4d3b-9a41-0c1f6d2b7e91' }),
  ],
  ['is about no message', 'it answers another message', (said) => answer({ said, messageId: '' })],
  [
    'is about the same message in capitals',
    'it answers another message',
    (said) => answer({ said, messageId: '5F0C8D3A-6F5E-4D3B-9A41-0C1F6D2B7E90' }),
  ],
  [
    'has no message id at all',
    'it answers another message',
    (said) => signed(inEnvelope(bare(said).replace(/<tns:IdPoruke>[^<]*<\/tns:IdPoruke>/, ''))),
  ],
  [
    'has two message ids',
    'there is more than one IdPoruke',
    (said) => signed(inEnvelope(bare(said).replace(/<tns:IdPoruke>[^<]*<\/tns:IdPoruke>/, '$&$&'))),
  ],
  [
    'has two headers',
    'there is not exactly one Zaglavlje',
    (said) => signed(inEnvelope(bare(said).replace(/<tns:Zaglavlje>.*<\/tns:Zaglavlje>/, '$&$&'))),
  ],
  [
    'has no header',
    'there is not exactly one Zaglavlje',
    (said) => signed(inEnvelope(bare(said).replace(/<tns:Zaglavlje>.*<\/tns:Zaglavlje>/, ''))),
  ],
  // Documents that say different things to different readers.
  ...Object.entries(ENCODINGS).map(([encoding, encode]): [string, string, Forge] => [
    `is written in ${encoding} and has no signature`,
    // The parser does not know this mark.
    /^UTF-32..$/.test(encoding) ? 'it is not well-formed XML' : 'there is not exactly one signature',
    (said) => encode(inEnvelope(bare(said))),
  ]),
  ['has a DOCTYPE', 'it holds a DOCTYPE', (said) => genuine(said).replace('?>', '?><!DOCTYPE Envelope>')],
  [
    'has a DOCTYPE with an entity',
    'it holds a DOCTYPE',
    (said) => genuine(said).replace('?>', '?><!DOCTYPE Envelope [<!ENTITY e "x">]>'),
  ],
  [
    'has a DOCTYPE that leads elsewhere',
    'it holds a DOCTYPE',
    (said) => genuine(said).replace('?>', '?><!DOCTYPE Envelope SYSTEM "http://example.org/x.dtd">'),
  ],
  [
    'was given an attribute with >',
    'the answer is not the one that was signed',
    (said) => genuine(said).replace('<tns:Zaglavlje>', '<tns:Zaglavlje a=">">'),
  ],
  [
    'was given text between its elements',
    'the answer is not the one that was signed',
    (said) => genuine(said).replace('<tns:Zaglavlje>', 'x<tns:Zaglavlje>'),
  ],
  ['is cut off', 'it is not well-formed XML', (said) => genuine(said).slice(0, -200)],
  [
    'has an attribute twice',
    'it is not well-formed XML',
    (said) => genuine(said).replace('<tns:Zaglavlje>', '<tns:Zaglavlje a="" a="">'),
  ],
  ['is not well-formed', 'it is not well-formed XML', (said) => genuine(said).replace('</soap:Body>', '')],
  ['goes on behind its end', 'it is not well-formed XML', (said) => `${genuine(said)}<x/>`],
]

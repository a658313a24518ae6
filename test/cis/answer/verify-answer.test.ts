import { expect, test } from 'vitest'
import { SIGNATURE_NAMESPACE } from '../../../src/cis/namespaces.ts'
import { certificateOf, OIBS, pki } from '../../support/pki.ts'
import { answer, JIR } from '../support/answers.ts'
import { CONFIRMED, judged, UNBELIEVABLE } from '../support/judged.ts'

const FORGED = 'f0f0f0f0-1111-4222-8333-444444444444'

const GENUINE = answer()

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

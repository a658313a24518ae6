import { expect, test } from 'vitest'
import { ALGORITHMS } from '../../../src/cis/namespaces.ts'
import { presentAt } from '../../support/clocks.ts'
import { pki } from '../../support/pki.ts'
import { answer, F73, greske, inEnvelope, JIR, racunOdgovor, signatureTemplate, signed } from '../support/answers.ts'
import { handSigned, SHA1 } from '../support/hand-signed.ts'
import { CONFIRMED, judged, judgement, UNAVAILABLE, UNBELIEVABLE, UNPROVEN } from '../support/judged.ts'
import { MESSAGE_ID } from '../support/messages.ts'
import { skipWithoutXmlsec, xmlsecSign } from '../support/xmlsec.ts'

test('a genuine answer brings its JIR', async () => {
  expect(await judged(answer())).toEqual(CONFIRMED)
})

test('an answer signed with exclusive canonicalization is believed too', async () => {
  expect(await judged(answer({}, { c14n: ALGORITHMS.exclusiveC14n }))).toEqual(CONFIRMED)
})

test('a JIR is confirmed even when warnings stand beside it', async () => {
  const said = `<tns:Jir>${JIR}</tns:Jir>${greske(['v101', 'Broj računa ima više od 6 znamenki'])}`
  expect(await judged(answer({ said }))).toEqual(CONFIRMED)
})

const ENVELOPES: Record<string, { attributes?: string; body?: string; name?: string }> = {
  'nothing more': {},
  'name spaces on envelope and body': { attributes: ' xmlns:xsi="urn:xsi"', body: ' xmlns:b="urn:b"' },
  'prefixes that sort differently by case': { name: 'SOAP-ENV', attributes: ' xmlns:ns0="urn:n"' },
  'a default name space': { attributes: ' xmlns="urn:default"' },
  'an inherited language': { attributes: ' xml:lang="hr"' },
}

test.skipIf(skipWithoutXmlsec).for(Object.entries(ENVELOPES))(
  'an answer that xmlsec1 signed inside an envelope with %s is believed',
  async ([, { attributes = '', body = '', name = 'soap' }]) => {
    const template = racunOdgovor({ said: `<tns:Jir>${JIR}</tns:Jir>${signatureTemplate()}` })
    const envelope = inEnvelope(template, { attributes })
      .replace('<soap:Body>', `<soap:Body${body}>`)
      .replaceAll(/(<\/?)soap:/g, `$1${name}:`)
      .replace('xmlns:soap=', `xmlns:${name}=`)
    const xml = await xmlsecSign(envelope, 'RacunOdgovor', pki.signer)
    expect(await judged(xml)).toEqual(CONFIRMED)
    expect(await judged(xml.replace(JIR, JIR.replace('9', '8')))).toMatchObject(UNBELIEVABLE)
  },
)

test('an answer that is signed with SHA-1 is believed as long as that is accepted, and says so', async () => {
  const xml = handSigned(inEnvelope(racunOdgovor()), SHA1)
  expect(await judgement(xml)).toMatchObject({ outcome: CONFIRMED, signature: 'rsa-sha1' })
  expect(await judgement(answer())).toMatchObject({ outcome: CONFIRMED, signature: 'rsa-sha256' })
  expect(await judgement(xml, { sha1Answers: 'refuse' })).toMatchObject({
    outcome: { ...UNBELIEVABLE, message: expect.stringMatching(/rsa-sha1, which FISKD_CIS_SHA1_ANSWERS refuses/) },
    signature: null,
  })
  const refused = handSigned(inEnvelope(racunOdgovor({ said: greske(['s001', 'x']) })), SHA1)
  expect(await judged(refused, { sha1Answers: 'refuse' })).toMatchObject(UNPROVEN)
  expect(await judged(answer(), { sha1Answers: 'refuse' })).toEqual(CONFIRMED)
})

test.skipIf(skipWithoutXmlsec)('an answer that xmlsec1 signed with SHA-1 is believed', async () => {
  const template = signatureTemplate()
    .replace(ALGORITHMS.rsaSha256, String(SHA1.method))
    .replace(ALGORITHMS.sha256, String(SHA1.digestMethod))
  const said = `<tns:Jir>${JIR}</tns:Jir>${template}`
  const xml = await xmlsecSign(inEnvelope(racunOdgovor({ said })), 'RacunOdgovor', pki.signer)
  expect(await judgement(xml)).toMatchObject({ outcome: CONFIRMED, signature: 'rsa-sha1' })
})

test('white space around JIR, message id and codes does no harm', async () => {
  const spaced = (text: string) => `\n    ${text}\n  `
  const messageId = spaced(MESSAGE_ID)
  expect(await judged(answer({ said: `<tns:Jir>${spaced(JIR)}</tns:Jir>`, messageId }))).toEqual(CONFIRMED)
  const refused = answer({ said: greske([spaced('s001'), spaced('x')]), messageId })
  expect(await judged(refused, { status: 500 })).toMatchObject({ upstream: [{ code: 's001', message: 'x' }] })
})

test.each(['utf16le', 'utf16be'])('an answer in UTF-16 with a byte order mark is read: %s', async (order) => {
  const little = Buffer.from(`\ufeff${answer().replace('UTF-8', 'UTF-16')}`, 'utf16le')
  expect(await judged(order === 'utf16le' ? little : little.swap16())).toEqual(CONFIRMED)
})

test('a clock that may be wrong makes no signer invalid: the service may be right about the time', async () => {
  const inThreeYears = Date.now() + 3 * 365 * 86_400_000
  const told = { date: Date.now() }
  const unsure = { now: inThreeYears, earliest: 0, latest: Number.POSITIVE_INFINITY }
  expect(await judged(answer(), { ...told, present: unsure })).toEqual(CONFIRMED)
  expect(await judged(answer(), { ...told, present: presentAt(inThreeYears) })).toMatchObject(UNBELIEVABLE)
  expect(await judged(answer(), { present: unsure })).toMatchObject(UNBELIEVABLE)
})

test.each([
  ['01.07.2026T10:16:01', Date.UTC(2026, 6, 1, 8, 16, 1)],
  ['01.12.2026T10:16:01', Date.UTC(2026, 11, 1, 9, 16, 1)],
  ['25.10.2026T02:30:00', null],
  ['29.03.2026T02:30:00', null],
  ['31.02.2026T10:16:01', null],
  ['jučer', null],
])('an answer signed at %s in Zagreb tells the moment, where that is one', async (shown, signedAt) => {
  const dated = racunOdgovor().replace(/<tns:DatumVrijeme>[^<]*/, `<tns:DatumVrijeme>${shown}`)
  expect(await judgement(signed(inEnvelope(dated)))).toMatchObject({ outcome: CONFIRMED, signedAt })
})

test('an HTTP 500 with errors in it is an answer, not an outage', async () => {
  const said = greske(['s001', 'Poruka nije u skladu s XML shemom'])
  expect(await judged(answer({ said }), { status: 500 })).toMatchObject({
    errorClass: 'validation',
    code: 'upstream_rejected',
    upstream: [{ code: 's001', message: 'Poruka nije u skladu s XML shemom' }],
  })
})

test.for([
  ['nothing', ''],
  ['a page of a proxy', '<html><body>502 Bad Gateway</body></html>'],
  ['text', 'Service Unavailable'],
  ['JSON', '{"error":"down"}'],
  [
    'a SOAP fault',
    inEnvelope('<soap:Fault><faultcode>soap:Server</faultcode><faultstring>RacunOdgovor?</faultstring></soap:Fault>'),
  ],
  ['an echo', inEnvelope(`<tns:EchoResponse xmlns:tns="${F73}">fiskd</tns:EchoResponse>`)],
])('%s is no answer: the sale is sent again', async ([, body]) => {
  for (const status of [200, 302, 500, 503]) {
    const outcome = await judged(body as string, { status })
    expect(outcome).toMatchObject(UNAVAILABLE)
    expect(outcome).toMatchObject({ message: expect.stringContaining(`HTTP ${status}`) })
  }
})

test('what merely names an answer is none: the sale is sent again', async () => {
  const detail = `<detail><tns:RacunOdgovor xmlns:tns="${F73}" Id="x"/></detail>`
  const fault = inEnvelope(`<soap:Fault><faultcode>soap:Server</faultcode>${detail}</soap:Fault>`)
  const pages = [
    fault,
    '<html><body><p>cannot transform RacunOdgovor<br></body></html>',
    '<!DOCTYPE html><html><body>&lt;tns:RacunOdgovor&gt; failed<br></body></html>',
    '<!DOCTYPE html><html><body>RacunOdgovor</body></html>',
  ]
  for (const page of pages) {
    for (const status of [200, 500, 502]) expect(await judged(page, { status })).toMatchObject(UNAVAILABLE)
  }
})

/** Ends before its JIR. */
const half = answer().replace(/<tns:Jir>.*/s, '')

test('an answer that cannot be parsed is only taken for one of the service where the status is one of its own', async () => {
  for (const status of [200, 500]) expect(await judged(half, { status })).toMatchObject(UNPROVEN)
  for (const status of [502, 503, 404, 302]) expect(await judged(half, { status })).toMatchObject(UNAVAILABLE)
})

test('an answer with a DOCTYPE is not believed, however its end was announced', async () => {
  const doctyped = answer().replace('?>', '?><!DOCTYPE x>')
  for (const framed of [true, false]) expect(await judged(doctyped, { framed })).toMatchObject(UNBELIEVABLE)
})

test('comments and processing instructions around a genuine answer do no harm', async () => {
  const xml = answer()
    .replace('?>', '?><?xml-stylesheet href="x"?><!-- a -->')
    .replace('<soap:Body>', '<?x y?><!-- b --><soap:Body><?x y?><!-- c -->')
    .replace('</soap:Body>', '<?x y?></soap:Body><?x y?>')
  expect(await judged(`${xml}<?x y?>`)).toEqual(CONFIRMED)
})

test.skipIf(skipWithoutXmlsec)(
  'a signed processing instruction between the elements of an answer does no harm',
  async () => {
    const said = `<?x y?><tns:Jir>${JIR}</tns:Jir>${signatureTemplate()}`
    const xml = await xmlsecSign(inEnvelope(racunOdgovor({ said })), 'RacunOdgovor', pki.signer)
    expect(xml).toContain('<?x y?>')
    expect(await judged(xml)).toEqual(CONFIRMED)
    expect(await judged(xml.replace('<?x y?>', '<?x z?>'))).toMatchObject(UNBELIEVABLE)
  },
)

test('an answer cut short is none where only the end of the connection said so, and one that cannot be believed elsewhere', async () => {
  const inTheJir = answer().slice(0, answer().indexOf(JIR) + 20)
  for (const text of [half, inTheJir]) {
    const cut = await judged(text, { framed: false })
    expect(cut).toMatchObject({ ...UNAVAILABLE, message: expect.stringMatching(/^The tax authority did not answer/) })
  }
  expect(await judged(half, { framed: true })).toMatchObject(UNPROVEN)
  expect(await judged(inTheJir, { framed: true })).toMatchObject(UNBELIEVABLE)
})

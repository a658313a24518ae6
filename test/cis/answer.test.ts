import { expect, test } from 'vitest'
import { ALGORITHMS } from '../../src/cis/algorithms.ts'
import { pki } from '../support/pki.ts'
import { answer, F73, greske, inEnvelope, JIR, racunOdgovor, signatureTemplate } from './support/answers.ts'
import { CONFIRMED, judged, UNAVAILABLE, UNBELIEVABLE } from './support/judged.ts'
import { skipWithoutXmlsec, xmlsecSign } from './support/xmlsec.ts'

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

test.skipIf(skipWithoutXmlsec)(
  'an answer that xmlsec1 signed before it was put into its envelope is believed',
  async () => {
    const template = racunOdgovor({ said: `<tns:Jir>${JIR}</tns:Jir>${signatureTemplate()}` })
    const signedAlone = await xmlsecSign(template, 'RacunOdgovor', pki.signer)
    const envelope = inEnvelope(signedAlone.replace(/^<\?xml[^>]*>\s*/, ''), { attributes: ' xmlns:xsi="urn:xsi"' })
    expect(await judged(envelope)).toEqual(CONFIRMED)
    expect(await judged(envelope.replace(JIR, JIR.replace('9', '8')))).toMatchObject(UNBELIEVABLE)
  },
)

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

test('an answer that cannot be parsed is only taken for one of the service where the status is one of its own', async () => {
  const half = answer().slice(0, 600)
  for (const status of [200, 500]) expect(await judged(half, { status })).toMatchObject(UNBELIEVABLE)
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

test('an answer cut short is tried again where only the end of the connection said so, and refused elsewhere', async () => {
  const half = answer().slice(0, 400)
  expect(await judged(half, { framed: false })).toMatchObject(UNAVAILABLE)
  expect(await judged(half, { framed: true })).toMatchObject(UNBELIEVABLE)
})

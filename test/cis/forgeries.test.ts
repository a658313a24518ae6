import { expect, test } from 'vitest'
import { answer, F73, greske, inEnvelope, JIR, racunOdgovor, signed } from './support/answers.ts'
import { FORGED, FORGERIES } from './support/forgeries.ts'
import { judged, UNAVAILABLE, UNBELIEVABLE, UNPROVEN } from './support/judged.ts'

/** What a forgery says, and what becomes of the sale (spec/cis.md, Signature). */
const SAYS = [
  ['a JIR', `<tns:Jir>${JIR}</tns:Jir>`, 'failed', UNBELIEVABLE],
  ['an error', greske(['s001', 'Poruka nije u skladu s XML shemom']), 'retrying', UNPROVEN],
] as const

const KINDS = FORGERIES.flatMap(([what, reason, forge]) => SAYS.map((says) => [says, what, reason, forge] as const))

test('there are more than a hundred kinds', () => {
  expect(new Set(KINDS.map(([[said], what]) => `${said} ${what}`)).size).toBeGreaterThan(100)
})

test.for(
  KINDS.map(
    ([[said, xml, state, outcome], what, reason, forge]) =>
      [said, what, state, { xml, outcome, reason, forge }] as const,
  ),
)('an answer with %s that %s is not believed: the sale is %s', async ([, , , { xml, outcome, reason, forge }]) => {
  const found = await judged(await forge(xml), { status: xml.includes('Greska') ? 500 : 200 })
  expect(found).toMatchObject(outcome)
  expect(found).toMatchObject({ message: expect.stringContaining(reason) })
  expect(JSON.stringify(found)).not.toMatch(/[<>]|9d6f5bb6|f0f0f0f0/)
})

/** Kinds that are about the JIR itself. */
test.for<[what: string, reason: string, said: string]>([
  ['is no UUID', 'its JIR is not a UUID', '<tns:Jir>9d6f5bb6da484fcda8034586a025e0e4</tns:Jir>'],
  ['is a UUID with a tail', 'its JIR is not a UUID', `<tns:Jir>${JIR} ${FORGED}</tns:Jir>`],
  ['stands in pieces', 'Jir holds more than text', `<tns:Jir>${JIR.slice(0, 9)}<b/>${JIR.slice(9)}</tns:Jir>`],
  ['stands there twice', 'there is not exactly one Jir', `<tns:Jir>${JIR}</tns:Jir><tns:Jir>${FORGED}</tns:Jir>`],
  ['is of another name space', 'it holds neither a JIR nor an error', `<Jir xmlns="urn:x">${JIR}</Jir>`],
  ['stands one level down', 'it holds neither a JIR nor an error', `<tns:Racun><tns:Jir>${JIR}</tns:Jir></tns:Racun>`],
])('a genuine answer whose JIR %s is not believed: the sale is failed', async ([, reason, said]) => {
  expect(await judged(answer({ said }))).toMatchObject({
    ...UNBELIEVABLE,
    message: expect.stringContaining(reason),
  })
})

test.for<[what: string, reason: string, said: string]>([
  ['says nothing', 'it holds neither a JIR nor an error', ''],
  ['has an empty list of errors', 'it holds neither a JIR nor an error', '<tns:Greske/>'],
  ['has an empty JIR', 'its JIR is not a UUID', '<tns:Jir/>'],
  ['has a blank JIR', 'its JIR is not a UUID', '<tns:Jir>\n </tns:Jir>'],
  ['has an error without a code', 'there is not exactly one SifraGreske', '<tns:Greske><tns:Greska/></tns:Greske>'],
])('a genuine answer that %s says nothing of the sale, which is retrying', async ([, reason, said]) => {
  expect(await judged(answer({ said }))).toMatchObject({ ...UNPROVEN, message: expect.stringContaining(reason) })
})

const S006 = greske(['s006', 'Sistemska pogreška prilikom obrade zahtjeva.'])
const odgovor = (said: string) => inEnvelope(`<tns:Odgovor xmlns:tns="${F73}" Id="G1">${said}</tns:Odgovor>`)

test.for<[what: string, state: string, body: string, outcome: object]>([
  ['an element Odgovor with errors', 'retrying', odgovor(S006), UNPROVEN],
  [
    'a signed element Odgovor with errors',
    'retrying',
    signed(odgovor(S006), { xpath: "//*[local-name()='Odgovor']", into: 'Odgovor' }),
    UNPROVEN,
  ],
  ['an element Odgovor with a JIR', 'failed', odgovor(`<tns:Jir>${JIR}</tns:Jir>`), UNBELIEVABLE],
  [
    'a fault with errors in it',
    'retrying',
    inEnvelope(
      `<soap:Fault><faultcode>soap:Server</faultcode><detail>${S006.replaceAll('tns:', '')}</detail></soap:Fault>`,
    ),
    UNPROVEN,
  ],
  [
    'a fault with a JIR in it',
    'failed',
    inEnvelope(`<soap:Fault><detail>${racunOdgovor()}</detail></soap:Fault>`),
    UNBELIEVABLE,
  ],
  ['a page with a JIR in it', 'failed', `<html><body><Jir>${JIR}</Jir></body></html>`, UNBELIEVABLE],
  ['a page that names a JIR', 'retrying', '<html><body>&lt;Jir&gt; is missing<br></body></html>', UNAVAILABLE],
])('%s is no answer: the sale is %s', async ([, , body, outcome]) => {
  for (const status of [200, 500]) expect(await judged(body, { status })).toMatchObject(outcome)
})

test('what an answer claims that is not believed is told as hearsay, few and short', async () => {
  const many = Array.from({ length: 9 }, (_, i): [string, string] => [`s00${i}`, `Greška\u0007 ${'x'.repeat(400)}`])
  const outcome = await judged(inEnvelope(racunOdgovor({ said: greske(...many).replaceAll('\u0007', '&#9;') })))
  expect(outcome).toMatchObject({ upstream: [], hearsay: { length: 5 } })
  expect(outcome).toMatchObject({ hearsay: [{ code: 's000', message: `Greška ${'x'.repeat(293)}…` }, {}, {}, {}, {}] })
})

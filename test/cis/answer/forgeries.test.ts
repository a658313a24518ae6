import { expect, test } from 'vitest'
import { greske, inEnvelope, JIR, racunOdgovor } from '../support/answers.ts'
import { FORGERIES } from '../support/forgeries.ts'
import { JIR_FORGERIES } from '../support/jir-forgeries.ts'
import { judged, UNAVAILABLE, UNBELIEVABLE, UNPROVEN } from '../support/judged.ts'

/** What a forgery says, and what becomes of the sale (docs/spec/cis.md, XML signature). */
const SAYS = [
  ['a JIR', `<tns:Jir>${JIR}</tns:Jir>`, 'failed', UNBELIEVABLE],
  ['an error', greske(['s001', 'Poruka nije u skladu s XML shemom']), 'retrying', UNPROVEN],
] as const

const KINDS = FORGERIES.flatMap(([what, reason, forge]) => SAYS.map((says) => [says, what, reason, forge] as const))

test('there are more than a hundred kinds, each of them once', () => {
  const names = [...FORGERIES.map(([what]) => what), ...JIR_FORGERIES.map(({ what }) => what)]
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  expect(FORGERIES.length).toBeGreaterThanOrEqual(100)
  expect(names.length).toBeGreaterThanOrEqual(140)
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

const OUTCOMES = { failed: UNBELIEVABLE, retrying: UNAVAILABLE }

test.for(JIR_FORGERIES.map((forgery) => [forgery.what, forgery.state, forgery] as const))(
  '%s is not believed: the sale is %s',
  async ([, state, { reason, body, circumstances }]) => {
    for (const status of [200, 500]) {
      const found = await judged(body, { status, ...circumstances })
      expect(found).toMatchObject(reason === null ? UNAVAILABLE : OUTCOMES[state])
      expect(found).toMatchObject({ message: expect.stringContaining(reason ?? 'did not answer') })
    }
  },
)

test('what an answer claims that is not believed is told as hearsay, few and short', async () => {
  const many = Array.from({ length: 9 }, (_, i): [string, string] => [`s00${i}`, `Greška\u0007 ${'x'.repeat(400)}`])
  const outcome = await judged(inEnvelope(racunOdgovor({ said: greske(...many).replaceAll('\u0007', '&#9;') })))
  expect(outcome).toMatchObject({ upstream: [], hearsay: { length: 5 } })
  expect(outcome).toMatchObject({ hearsay: [{ code: 's000', message: `Greška ${'x'.repeat(293)}…` }, {}, {}, {}, {}] })
})

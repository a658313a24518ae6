import { expect, test } from 'vitest'
import { processorTime } from '../../support/processor-time.ts'
import { answer, greske, inEnvelope, JIR, racunOdgovor, signatureTemplate } from '../support/answers.ts'
import { CONFIRMED, judged, UNBELIEVABLE, UNPROVEN } from '../support/judged.ts'

const many = (count: number, write: (i: number) => string) => Array.from({ length: count }, (_, i) => write(i)).join('')
const declarations = (count: number, from = 0) => many(count, (i) => ` xmlns:a${from + i}="urn:u"`)
const nested = (depth: number, inside = '') => '<x>'.repeat(depth) + inside + '</x>'.repeat(depth)

const COSTLY: Record<string, [said: string, reason: string]> = {
  'name spaces by the thousand': [
    many(25, (i) => `<x${declarations(100, i * 100)}>`) + '</x>'.repeat(25),
    'too many name spaces',
  ],
  'few name spaces for elements by the thousand': [
    `<x${declarations(25)}>${nested(20, '<x/>'.repeat(13_000))}</x>`,
    'too many elements',
  ],
  'few name spaces for deep elements': [`<x${declarations(25)}>${nested(240, '<x/>'.repeat(700))}</x>`, 'too deeply'],
  'attributes by the thousand': [`<x${many(7000, (i) => ` a${i.toString(36)}=""`)}/>`, 'too many attributes'],
}

test.for(Object.entries(COSTLY))(
  'an answer with %s is refused before it costs anything',
  async ([, [said, reason]]) => {
    const signature = signatureTemplate().replace(/<(DigestValue|SignatureValue|X509Certificate)\/>/g, '<$1>AAAA</$1>')
    const body = inEnvelope(racunOdgovor({ said: said + signature }))
    expect(body.length).toBeLessThan(64 * 1024)
    const spent = processorTime()
    expect(await judged(body)).toMatchObject({ ...UNPROVEN, message: expect.stringContaining(reason) })
    expect(await judged(body.replace('<Signature', `<tns:Jir>${JIR}</tns:Jir>$&`))).toMatchObject(UNBELIEVABLE)
    expect(spent()).toBeLessThan(1000)
  },
)

test('an answer within the limits is read, however many errors it lists', async () => {
  const errors = Array.from({ length: 200 }, (_, i): [string, string] => ['s001', `Greška ${i}`])
  expect(await judged(answer({ said: greske(...errors) }), { status: 500 })).toMatchObject({
    code: 'upstream_rejected',
    upstream: { length: 200 },
  })
  const said = `<tns:Jir>${JIR}</tns:Jir>${nested(20)}`
  expect(await judged(answer({ said, attributes: declarations(20) }))).toEqual(CONFIRMED)
})

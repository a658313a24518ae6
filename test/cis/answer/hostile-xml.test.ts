import { expect, test } from 'vitest'
import { processorTime } from '../../support/processor-time.ts'
import { answer, JIR } from '../support/answers.ts'
import { judged } from '../support/judged.ts'

const QUICK_MS = 1000
const MAX_GROWTH_BYTES = 64 * 1024 * 1024

const repeated = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join('')

/** Twelve entities, each of which holds the one before it ten times. */
const LAUGHS = repeated(12, (i) => `<!ENTITY e${i} "${i === 0 ? 'ha ha ha ha' : `&e${i - 1};`.repeat(10)}">`)
const LONG = `<!ENTITY e "${'a'.repeat(30_000)}">`
const PERCENT = repeated(12, (i) => `<!ENTITY % p${i} "${i === 0 ? 'ha ha' : `&#37;p${i - 1};`.repeat(10)}">`)

const withDoctype = (declarations: string, jir: string) =>
  answer().replace('?>', `?><!DOCTYPE Envelope [${declarations}]>`).replace(JIR, jir)
const withHeader = (declarations: string, header: string) =>
  answer()
    .replace('?>', `?><!DOCTYPE Envelope [${declarations}]>`)
    .replace('<soap:Body>', `<soap:Header>${header}</soap:Header><soap:Body>`)

const HOSTILE: Record<string, () => string | Buffer> = {
  'entities of entities': () => withDoctype(LAUGHS, '&e11;'),
  'entities of entities in an attribute': () => withHeader(LAUGHS, '<x a="&e11;"/>'),
  'entities of entities in a default': () => withHeader(`${LAUGHS}<!ATTLIST x a CDATA "&e11;">`, '<x/>'),
  'one long entity many times': () => withDoctype(LONG, '&e;'.repeat(8000)),
  'one long entity many times in an attribute': () => withHeader(LONG, `<x a="${'&e;'.repeat(8000)}"/>`),
  'entities of elements': () => withHeader(`<!ENTITY e "${'<x/>'.repeat(5000)}">`, '&e;'.repeat(9000)),
  'parameter entities': () => withDoctype(`${PERCENT} %p11;`, JIR),
  'an entity of itself': () => withDoctype('<!ENTITY a "&b;"><!ENTITY b "&a;">', '&a;'),
  'defaults for every element': () =>
    withHeader(`<!ATTLIST x ${repeated(900, (i) => `a${i} CDATA "${'v'.repeat(20)}" `)}>`, '<x/>'.repeat(5000)),
  'an external entity': () => withDoctype('<!ENTITY e SYSTEM "file:///etc/hostname">', '&e;'),
  'an external entity behind the JIR': () => withDoctype('<!ENTITY e SYSTEM "file:///dev/null">', `${JIR}&e;`),
  'an external subset': () => answer().replace('?>', '?><!DOCTYPE Envelope SYSTEM "file:///etc/hostname">'),
  'entities of entities in UTF-16': () =>
    Buffer.from(`\ufeff${withDoctype(LAUGHS, '&e11;').replace('UTF-8', 'UTF-16')}`, 'utf16le'),
  'elements in elements in elements': () =>
    withHeader('', '<x>'.repeat(7000) + '</x>'.repeat(7000)).replace('<!DOCTYPE Envelope []>', ''),
}

test.for(Object.entries(HOSTILE))('%s: no JIR, no time, no memory', async ([, write]) => {
  const body = write()
  expect(body.length).toBeLessThan(64 * 1024)
  const before = process.memoryUsage().rss
  const spent = processorTime()
  expect(await judged(body)).toMatchObject({ kind: 'failed', code: expect.stringMatching(/^upstream_/) })
  expect(spent()).toBeLessThan(QUICK_MS)
  expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES)
})

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { computeZki } from '../../../src/fiscal/sales/compute-zki.ts'
import { createZkisAhead, type ZkiAhead } from '../../../src/fiscal/sales/zki-ahead.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const SEQUENCE = { companyId: 'c', mode: 'test', premisesCode: 'P1', year: 2026, register: '' } as const
const SALE = { companyOib: '12345678903', occurredAt: 1_780_000_000_000, premisesCode: 'P1', registerMark: '7' }
const sale = (totalCents: number) => ({ ...SALE, totalCents: BigInt(totalCents) })
const right = (totalCents: number, number: string) => computeZki({ ...sale(totalCents), number }, privateKey)

/** One that is computed anew is another one each time it is asked for. */
async function expectAhead(zki: ZkiAhead, totalCents: number, number: string) {
  expect(zki.of(number)).toBe(zki.of(number))
  expect(await zki.of(number)).toBe(await right(totalCents, number))
}

function openCourse() {
  const begin = createZkisAhead()
  return (totalCents: number, wanted: string | null = null, sequence = SEQUENCE) =>
    begin(sequence, sale(totalCents), privateKey, wanted)
}

test('sales that wait in a row have their ZKIs when they get their numbers', async () => {
  const begin = openCourse()
  expect(await begin(1).of('41')).toBe(await right(1, '41'))
  const waiting = [begin(2), begin(3), begin(4)]
  for (const [i, zki] of waiting.entries()) await expectAhead(zki, 2 + i, `${42 + i}`)
})

test('a number that comes as a surprise gets its own ZKI, and those after it are ahead again', async () => {
  const begin = openCourse()
  await begin(1).of('41')
  expect(await begin(2).of('900')).toBe(await right(2, '900'))
  await expectAhead(begin(3), 3, '901')
})

test('a sale that gets no number leaves its place to the next one', async () => {
  const begin = openCourse()
  await begin(1).of('41')
  const [failed, behind] = [begin(2), begin(3)]
  failed.end()
  expect(await behind.of('42')).toBe(await right(3, '42'))
  await expectAhead(begin(4), 4, '43')
})

test('a transaction that is repeated may get another number', async () => {
  const begin = openCourse()
  await begin(1).of('41')
  const zki = begin(2)
  expect(await zki.of('42')).toBe(await right(2, '42'))
  expect(await zki.of('43')).toBe(await right(2, '43'))
})

test('a number that the caller brings is computed with at once, and counts for nobody else', async () => {
  const begin = openCourse()
  await begin(1).of('41')
  const [brought, next] = [begin(2, '7'), begin(3)]
  await expectAhead(brought, 2, '7')
  await expectAhead(next, 3, '42')
})

test('each sequence has a course of its own', async () => {
  const begin = openCourse()
  await begin(1).of('41')
  const other = begin(2, null, { ...SEQUENCE, year: 2027 } as never)
  expect(await other.of('1')).toBe(await right(2, '1'))
  await expectAhead(begin(3), 3, '42')
})

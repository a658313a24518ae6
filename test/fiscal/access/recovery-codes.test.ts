import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryHash } from '../../../src/fiscal/access/second-factor.ts'
import { userRow } from '../../support/people.ts'
import { freshStore } from '../../support/shop.ts'

test('there are ten codes of 80 bits in four groups, all different', () => {
  const codes = newRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(codes.every((code) => /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/.test(code))).toBe(true)
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20)
})

test('a code is the same one however its letters and groups are typed; anything else is none', () => {
  const [code = ''] = newRecoveryCodes()
  const hash = recoveryHash(code)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `]) {
    expect(recoveryHash(typed)).toBe(hash)
  }
  for (const typed of ['', '123456', code.slice(1), `${code}A`, code.replace(/^./, '1')]) {
    expect(recoveryHash(typed)).toBeNull()
  }
})

test('of two who show a code at once one has it, and nobody has the codes of before', async () => {
  const store = await freshStore()
  const [ana, ivo] = [userRow(), userRow({ name: 'ivo' })]
  await store.users.insert(ana)
  await store.users.insert(ivo)
  await store.recoveryCodes.replace(ana.id, ['a', 'b', 'c'])
  const taken = await Promise.all([ana, ana, ivo].map(({ id }) => store.recoveryCodes.take(id, 'a')))
  expect([taken.slice(0, 2).toSorted(), taken[2]]).toEqual([[false, true], false])
  expect([await store.recoveryCodes.count(ana.id), await store.recoveryCodes.count(ivo.id)]).toEqual([2, 0])
  await store.recoveryCodes.replace(ana.id, ['d'])
  expect(await store.recoveryCodes.take(ana.id, 'b')).toBe(false)
  await store.users.remove(ana.id)
  expect(await store.recoveryCodes.count(ana.id)).toBe(0)
})

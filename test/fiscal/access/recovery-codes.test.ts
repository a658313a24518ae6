import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryHash } from '../../../src/fiscal/access/recovery-codes.ts'

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

import { createHash, randomBytes } from 'node:crypto'

const COUNT = 10
const BYTES = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODE = /^[A-Z2-7]{16}$/

/** Codes that replace the phone of a second factor: 80 bits each, so that a fast hash hides them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const bits = [...randomBytes(BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)])
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** What is stored of a code, however its letters and groups are typed; null for what is no such code. */
export function recoveryHash(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return CODE.test(code) ? createHash('sha256').update(code).digest('hex') : null
}

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { linkTo, MOST_BASE_CHARACTERS, markOf, readToken } from '../../../src/fiscal/receipt-links/link.ts'

const [KEY, GATEWAY] = [randomBytes(32), 'b2a1f1c0-0000-4000-8000-000000000001']
const ID = 'inv_0199c3a1b2c3000001aabbccddeeff00'
const link = linkTo({ base: 'https://racun.example.hr', gatewayId: GATEWAY, key: KEY }, ID) ?? ''
const token = link.slice('https://racun.example.hr/r/'.length)

test('a link is https://HOST/r/TOKEN, of at most 100 characters with the longest host', () => {
  expect(link).toMatch(/^https:\/\/racun\.example\.hr\/r\/[\w-]{48}$/)
  expect(MOST_BASE_CHARACTERS + '/r/'.length + token.length).toBe(100)
})

test('a token says its gateway and its invoice, and is made with the key of that gateway alone', () => {
  const read = readToken(token)
  expect(read).toMatchObject({ mark: markOf(GATEWAY), invoiceId: ID })
  expect(read.isMadeWith(KEY)).toBe(true)
  expect(read.isMadeWith(randomBytes(32))).toBe(false)
})

test('128 bits of it follow from the key: with any of them changed it is no token', () => {
  const bytes = Buffer.from(token, 'base64url')
  const changed = (bit: number) => {
    const other = Buffer.from(bytes)
    other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7))
    return other.toString('base64url')
  }
  const held = Array.from({ length: 36 * 8 }, (_, bit) => readToken(changed(bit)).isMadeWith(KEY))
  expect(held).not.toContain(true)
})

test.each([
  ['cut', token.slice(0, -1)],
  ['longer', `${token}A`],
  ['in capitals', token.toUpperCase()],
  ['with another alphabet', `${token.slice(0, -1)}+`],
  ['empty', ''],
  ['long', 'x'.repeat(10_000)],
])('a text that is %s is read like a token, and is none', (_how, text) => {
  const read = readToken(text)
  expect(read.invoiceId).toMatch(/^inv_[0-9a-f]{32}$/)
  expect(read.isMadeWith(KEY)).toBe(false)
})

test('an id that fiskd did not make gets no link', () => {
  expect(linkTo({ base: 'https://h', gatewayId: GATEWAY, key: KEY }, 'inv_0mh3p1c6x2k9')).toBeUndefined()
})

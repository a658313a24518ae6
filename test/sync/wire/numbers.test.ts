import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { newNonce } from '../../../src/sync/gateway/handshake.ts'
import { signCommand } from '../../../src/sync/wire/commands.ts'
import type { WireNumber } from '../../../src/sync/wire/messages.ts'
import { areSigned, signNumbers } from '../../../src/sync/wire/numbers.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const serverKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
const signing = (bytes: Buffer) => sign(null, bytes, privateKey).toString('base64url')

const number: WireNumber = {
  ...{ company_id: randomUUID(), mode: 'live', premises_code: 'POSL1', year: 2026, register: '' },
  ...{ highest: '12', level: 'P' },
}
const told = { gatewayId: randomUUID(), nonce: newNonce(), numbers: [number] }
const signature = signNumbers(told, signing)

test('numbers that a server has signed for a question are known as such', () => {
  expect(areSigned(told, signature, serverKey)).toBe(true)
})

test.each([
  ['a replay: the answer to another question', { nonce: newNonce() }],
  ["another gateway's", { gatewayId: randomUUID() }],
  ['another number', { numbers: [{ ...number, highest: '13' }] }],
  ['another premises', { numbers: [{ ...number, premises_code: 'POSL2' }] }],
  ['another company', { numbers: [{ ...number, company_id: randomUUID() }] }],
  ['another year', { numbers: [{ ...number, year: 2027 }] }],
  ['another mode', { numbers: [{ ...number, mode: 'test' as const }] }],
  ['another register', { numbers: [{ ...number, register: '1' }] }],
  ['another level', { numbers: [{ ...number, level: 'N' as const }] }],
  ['one number less', { numbers: [] }],
  ['one number twice', { numbers: [number, number] }],
])('a signature does not hold for %s', (_, changes) => {
  expect(areSigned({ ...told, ...changes }, signature, serverKey)).toBe(false)
})

test('neither the signature of a command, nor of another server, nor what is none is one of numbers', () => {
  const command = signCommand(
    {
      ...{
        id: randomUUID(),
        gatewayId: told.gatewayId,
        number: 1,
        type: 'doctor',
        body: {},
        issuedBy: 'u',
        issuedAt: 1,
      },
      ...{ expiresAt: 2, status: 'waiting', sentAt: null, answeredAt: null, result: null },
    },
    signing,
  )
  const other = generateKeyPairSync('ed25519').privateKey
  const byOther = signNumbers(told, (bytes) => sign(null, bytes, other).toString('base64url'))
  for (const wrong of [command.signature, byOther, '', 'AAAA', signature.slice(0, -4)]) {
    expect(areSigned(told, wrong, serverKey)).toBe(false)
  }
  for (const key of ['', 'AAAA', `${serverKey}AAAA`.slice(4)]) expect(areSigned(told, signature, key)).toBe(false)
})

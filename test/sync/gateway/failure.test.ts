import { expect, test } from 'vitest'
import { notReached } from '../../../src/sync/gateway/failure.ts'

const said = (code: string) => notReached(Object.assign(new Error(code), { code }), 'https://s', 1000).message

test.each([
  ['CERT_NOT_YET_VALID', 'is not valid yet by the clock of this machine; check: timedatectl'],
  ['CERT_HAS_EXPIRED', 'has ended by the clock of this machine; check: timedatectl'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'is not from the CA that this gateway was enrolled with'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'is not from the CA that this gateway was enrolled with'],
])('%s is told as what it is', (code, text) => {
  expect(said(code)).toContain(text)
})

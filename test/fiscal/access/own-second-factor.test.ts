import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { createSecondFactor } from '../../../src/fiscal/access/own-second-factor.ts'
import { addUser } from '../../../src/fiscal/access/users.ts'
import type { Vault } from '../../../src/fiscal/ports/certificates.ts'
import { watched } from '../../support/alerting.ts'
import { OPERATOR } from '../../support/people.ts'

test('of two who make recovery codes with one code of the app at once one has them', async () => {
  const { store, clock, time } = await watched()
  const vault = { seal: (text: Buffer) => text, open: (text: Buffer) => text } as unknown as Vault
  const password = 'duga lozinka 123'
  const wanted = { name: 'ana', password, role: 'viewer' as const, isPlatformAdmin: false }
  const ana = await addUser({ store, clock, newUuid: randomUUID }, OPERATOR, wanted)
  const { newSecret, enable, renewCodes } = createSecondFactor({ store, clock, vault })
  const { secret } = await newSecret(ana)
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time.now })
  await enable(ana, 'token', secret, code())
  time.now += 120_000
  const user = await store.users.get(ana.id)
  if (!user) throw new Error('no user')
  const proof = { password, code: code() }
  const both = await Promise.allSettled([renewCodes(user, proof), renewCodes(user, proof)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

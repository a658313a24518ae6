import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createVault } from '../../../src/certificates/vault.ts'
import type { KeptFacts } from '../../../src/fiscal/ports/kept-facts.ts'
import { forgetSeed, publicKeyOf, secretsFor } from '../../../src/sync/gateway/secrets.ts'
import { startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'

function query(database: string, statement: string): unknown[] {
  const db = new Database(database)
  try {
    const prepared = db.prepare(statement)
    return prepared.reader ? prepared.all() : [prepared.run()]
  } finally {
    db.close()
  }
}
const stateOf = async (gateway: Gateway) => (await syncOf(gateway)).sync.state

/** As `fisk restore --forget-keys` leaves it. */
async function loseVaultKey(gateway: Gateway): Promise<void> {
  await gateway.stop()
  rmSync(`${gateway.dataDir}/vault.key`)
  query(gateway.database, "DELETE FROM meta WHERE key = 'vault_proof'")
  await gateway.restart()
}

test('a gateway whose vault key is gone says so everywhere, and comes back with a new token', async () => {
  const { gateway, link, token } = await startEnrolled()
  await told(gateway)
  await loseVaultKey(gateway)
  await expect.poll(() => stateOf(gateway)).toBe('unreadable')
  expect((await syncOf(gateway)).sync.last_error?.code).toBe('enrolment_unreadable')
  const check = (await diagnose(gateway)).find(({ name }) => name === 'central server')
  expect(check).toMatchObject({ status: 'fail', fix: expect.stringContaining('fisk sync enroll') })
  expect((await fisk(['sync', 'status'], { socket: gateway.socketPath })).code).toBe(1)

  const body = { url: link.url, token: await token('kiosk', { again: true }) }
  expect(await gateway.admin('/admin/sync/enroll', { body })).toMatchObject({ status: 200 })
  expect((await told(gateway)).sync.state).toBe('connected')
})

test('a token that is refused leaves the enrolment as it was, also one that the server does not know just now', async () => {
  const { gateway, server, link, token } = await startEnrolled()
  await told(gateway)
  const enrolment = () => query(gateway.database, 'SELECT * FROM sync_enrolment')
  const before = enrolment()
  const [hash] = query(server.database, 'SELECT credential_hash FROM gateways') as { credential_hash: string }[]
  query(server.database, 'UPDATE gateways SET credential_hash = NULL')
  await gateway.admin('/admin/sync/now', { method: 'POST' })
  await expect.poll(() => stateOf(gateway)).toBe('revoked')

  const wrong = (await token('other')).replace(/^fisk_enroll_.{4}/, 'fisk_enroll_AAAA')
  for (let time = 0; time < 2; time++) {
    const refused = await gateway.admin('/admin/sync/enroll', { body: { url: link.url, token: wrong } })
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'sync_token_invalid' } } })
  }
  expect(enrolment()).toEqual(before)
  query(server.database, `UPDATE gateways SET credential_hash = '${hash?.credential_hash}' WHERE name = 'kiosk'`)
  await gateway.sell()
  expect((await told(gateway)).sync).toMatchObject({ state: 'connected', waiting: 0 })
})

test('an address that is another gateway is told as no central server', async () => {
  const central = await startCentral()
  const [gateway, other] = [await startGateway(), await startGateway()]
  const token = await central.token('kiosk')
  const { status, body } = await gateway.admin<{ error: { message: string } }>('/admin/sync/enroll', {
    body: { url: other.url, token },
  })
  expect([status, body.error.message]).toEqual([
    409,
    expect.stringContaining('no central server of fiskd (FISKD_ROLE='),
  ])
  expect((await syncOf(gateway)).enrolled).toBe(false)
})

test('a token has the same secrets until one was taken, another token has others, and a lost vault key is no obstacle', async () => {
  const kept = new Map<string, Buffer>()
  const keep: KeptFacts = {
    get: async (key) => kept.get(key),
    async keep(key, value) {
      if (!kept.has(key)) kept.set(key, value)
      return kept.get(key) ?? value
    },
    async put(key, value) {
      kept.set(key, value)
    },
    async remove(key) {
      kept.delete(key)
    },
  }
  const [vault, otherVault] = [createVault(Buffer.alloc(32, 1)), createVault(Buffer.alloc(32, 2))]
  const first = await secretsFor('a', keep, vault)
  expect(first.credential).toMatch(/^fisk_sync_[A-Za-z0-9_-]{43}$/)
  expect(Buffer.from(publicKeyOf(first.privateKey), 'base64url')).toHaveLength(44)
  const others = await secretsFor('b', keep, vault)
  expect(await secretsFor('a', keep, vault)).toEqual(first)
  const anew = await secretsFor('a', keep, otherVault)
  expect(await secretsFor('a', keep, otherVault)).toEqual(anew)
  await forgetSeed(keep)
  const later = await secretsFor('a', keep, otherVault)
  const all = [first, others, anew, later]
  expect(new Set(all.map(({ credential }) => credential)).size).toBe(4)
  expect(new Set(all.map(({ privateKey }) => privateKey.toString('hex'))).size).toBe(4)
})

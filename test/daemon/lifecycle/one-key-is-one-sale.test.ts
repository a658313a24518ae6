import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, type Call, call } from '../../support/call.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, type InvoiceBody, startGateway, startUnproven } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { tempDir } from '../../support/temp-dir.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROUNDS = 200

/** Two processes on one database: one that knows the time, and one that was started before and knows it not. */
async function pair() {
  const url = await postgresDatabase()
  const dataDir = await tempDir()
  const shared = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: url, FISKD_SHARED_DIR: dataDir }
  const trust = join(dataDir, 'test.pem')
  writeFileSync(trust, pki.bundlePem)
  const unproven = await startUnproven({ ...shared, FISKD_TRUST_TEST: trust })
  const proven = await startGateway({ ...shared, FISKD_DATA_DIR: dataDir })
  const ask = <T>(process: Gateway, request: Call) =>
    call<T>({ base: process.url, ca: readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8') }, request)
  const post = (process: Gateway, key: string, sale: object): Promise<Answer<InvoiceBody>> => {
    const headers = { authorization: `Bearer ${proven.key}`, 'idempotency-key': key }
    return ask(process, { path: '/v1/invoices', body: sale, headers })
  }
  const health = async (process: Gateway) => {
    const { status, body } = await ask<{ checks: { sales: object } }>(process, { path: '/v1/health' })
    return [status, body.checks.sales]
  }
  return { url, unproven, proven, post, health }
}

describe.skipIf(skipWithoutPostgres)('two processes on one database, one of which has not proven the time', () => {
  test(`make one invoice of each of ${ROUNDS} keys, whichever is asked first, and of both at once`, async () => {
    const { url, unproven, proven, post } = await pair()
    for (let round = 0; round < ROUNDS; round++) {
      const sale = proven.sale()
      const at = (process: Gateway) => post(process, `round ${round}`, sale)
      const [one, other] =
        round % 3 === 0
          ? [await at(unproven), await at(proven)]
          : round % 3 === 1
            ? [await at(proven), await at(unproven)]
            : await Promise.all([at(unproven), at(proven)])
      expect([one.status, other.status, other.text], `round ${round}`).toEqual([200, 200, one.text])
    }
    const numbers = await query<{ number: string }>(url, 'SELECT number FROM invoices')
    expect(numbers.map(({ number }) => Number(number)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: ROUNDS }, (_, i) => i + 1),
    )
  })

  test('replay a key whose clock nobody has proven, and until 24 hours after a process has', async () => {
    const { url, unproven, proven, post } = await pair()
    // Nobody has looked at the clock for as long as the server was off.
    const forget = () => query(url, `UPDATE meta SET value = '1' WHERE key = 'clock_right_at'`)
    await forget()
    const sale = proven.sale()
    const first = await post(unproven, 'off', sale)
    for (const days of [3, 40, -40]) {
      unproven.clock.setMs = days * DAY_MS
      expect([days, (await post(unproven, 'off', sale)).text]).toEqual([days, first.text])
    }
    expect((await post(proven, 'off', sale)).text).toBe(first.text)
    await proven.checkClock()
    await proven.pass(DAY_MS - HOUR_MS)
    expect((await post(unproven, 'off', sale)).text).toBe(first.text)
    await proven.pass(HOUR_MS)
    // What is too old counts as long as it is there and the clock is not proven.
    await forget()
    expect((await post(unproven, 'off', sale)).text).toBe(first.text)
    proven.clock.aheadMs = 0
    await proven.checkClock()
    const anew = await post(unproven, 'off', sale)
    expect([anew.status, anew.body.number]).toEqual([200, String(Number(first.body.number) + 1)])
    expect((await post(proven, 'off', sale)).text).toBe(anew.text)
  })

  test('health is down where others have known the time for ten minutes and this process has not, and only there', async () => {
    const { url, unproven, proven, health } = await pair()
    const well = [200, { status: 'ok', reasons: [] }]
    await proven.checkClock()
    expect([await health(unproven), await health(proven)]).toEqual([well, well])
    unproven.clock.aheadMs = 10 * 60_000 + 1000
    const down = [503, { status: 'down', reasons: ['it does not know the time, and other processes do'] }]
    expect([await health(unproven), await health(proven)]).toEqual([down, well])
    // Nobody knows it any more.
    await query(url, `UPDATE meta SET value = '1' WHERE key = 'clock_right_at'`)
    expect(await health(unproven)).toEqual(well)
    await proven.checkClock()
    expect(await health(unproven)).toEqual(down)
    Object.assign(unproven.clock, { aheadMs: 0, synchronised: true })
    await unproven.checkClock()
    expect(await health(unproven)).toEqual(well)
  })
})

test('keys that are too old are gone at a start before the first request, and no younger one', async () => {
  const gateway = await startGateway()
  await gateway.post(gateway.sale(), 'old')
  await gateway.pass(23 * HOUR_MS)
  await gateway.post(gateway.sale(), 'young')
  await gateway.stop()
  await gateway.pass(HOUR_MS)
  await gateway.restart()
  // Nothing has run since the listeners stand.
  expect(await inDatabase(gateway, 'SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }])
})

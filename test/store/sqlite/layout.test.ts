import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { fleet, withoutLogo } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

const LOG_BYTES = 5_120_000
/** A commit is not cut in two: the log ends behind the one that made it long enough. */
const ONE_MORE = 100_000

const pageSize = (path: string) => {
  const database = new Database(path, { readonly: true })
  const size = database.pragma('page_size', { simple: true })
  database.close()
  return size
}

async function opened(path: string, ofFleet: boolean) {
  const store = await openStore(path, 1, { ofFleet })
  onTestFinished(() => store.close())
  return store
}

test('a gateway has small pages and a server large ones, and a database keeps what it was made with', async () => {
  const dir = await tempDir()
  const [kiosk, fleetOf] = [join(dir, 'kiosk.db'), join(dir, 'fleet.db')]
  await (await openStore(kiosk, 1)).close()
  await (await openStore(fleetOf, 1, { ofFleet: true })).close()
  expect([pageSize(kiosk), pageSize(fleetOf)]).toEqual([1024, 4096])
  await (await openStore(fleetOf, 1)).close()
  await (await openStore(kiosk, 1, { ofFleet: true })).close()
  expect([pageSize(kiosk), pageSize(fleetOf)]).toEqual([1024, 4096])
})

test.each([
  { pages: 'small', ofFleet: false },
  { pages: 'large', ofFleet: true },
])('the log of a gateway stays below its bound with $pages pages, however much is sold', async ({ ofFleet }) => {
  const path = join(await tempDir(), 'fiskd.db')
  await (await openStore(path, 1, { ofFleet })).close()
  const store = await opened(path, false)
  const rows = fleet()
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  await store.companies.insert({ ...withoutLogo(rows.company), ...owner })
  await store.certificates.insert({ ...rows.certificate, sealedKey: Buffer.from('secret') })
  await store.devices.insert({ ...rows.device, ...owner })
  let longest = 0
  for (let number = 1; number <= 500; number++) {
    await store.transaction((tx) => tx.invoices.insert({ ...rows.invoice(number), ...owner }))
    longest = Math.max(longest, statSync(`${path}-wal`).size)
  }
  expect(longest).toBeGreaterThan(LOG_BYTES / 2)
  expect(longest).toBeLessThan(LOG_BYTES * 1.05 + ONE_MORE)
})

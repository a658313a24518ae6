import { join } from 'node:path'
import { expect, test } from 'vitest'
import { causesOf } from '../../../scripts/bench/wear/causes.ts'
import { watchLog } from '../../../scripts/bench/wear/log-frames.ts'
import { startGateway } from '../../support/gateway.ts'

const SALES = 30

/** Pages in the log for a sale, by table and index. */
async function pagesOfASale(): Promise<Map<string, number>> {
  const gateway = await startGateway()
  const path = join(gateway.dataDir, 'fiskd.db')
  for (let i = 0; i < 5; i++) await gateway.sell()
  const log = watchLog(`${path}-wal`)
  log.look()
  const before = log.pages().length
  for (let i = 0; i < SALES; i++) {
    await gateway.sell()
    log.look()
  }
  return new Map(causesOf(path, log.pages().slice(before)).map(({ tree, pages }) => [tree, pages / SALES]))
}

test('what is written twice for a sale are only pages that its outcome changes', async () => {
  const pages = await pagesOfASale()
  expect(pages.get('invoices')).toBeGreaterThan(1.9)
  // Its key, a new page and the one above it; then the response.
  expect(pages.get('idempotency_keys')).toBeLessThan(3.5)
  // A pending invoice stands in one index of those that wait.
  expect(pages.get('invoices_unconfirmed_by_time')).toBeGreaterThan(1.9)
  expect(pages.get('invoices_unconfirmed') ?? 0).toBeLessThan(0.1)
})

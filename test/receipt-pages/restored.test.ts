import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { told } from '../support/central-server.ts'
import { inDatabase } from '../support/database.ts'
import { fisk } from '../support/fisk.ts'
import type { Gateway } from '../support/gateway.ts'
import { RECEIPTS_ENV, soldAndTold, startLinked, statusOf, withdrawn } from '../support/receipt-links.ts'
import { tempDir } from '../support/temp-dir.ts'

const fileOf = ({ dataDir }: Gateway) => join(dataDir, 'receipt-withdrawals.json')

/** A server whose link was withdrawn after its backup, and which lost its database. */
async function lost() {
  const linked = await startLinked()
  const sold = await soldAndTold(linked.kiosk)
  const file = join(await tempDir(), 'backup.db')
  expect((await fisk(['backup', file], { socket: linked.server.socketPath })).code).toBe(0)
  await withdrawn(linked, `/dashboard/invoices/${sold.id}`, 'link/withdraw')
  const later = await soldAndTold(linked.kiosk)
  await linked.server.stop()
  const restored = async (...args: string[]) => {
    const config = readConfig({ ...RECEIPTS_ENV, FISKD_DATA_DIR: linked.server.dataDir })
    await restore(config, readRestoreOrder([file, '--gap', '10', ...args]), Date.now())
    await linked.server.restart()
    await told(linked.kiosk)
    return [await statusOf(linked, sold.receipt_url), await statusOf(linked, later.receipt_url)]
  }
  return { linked, restored }
}

test('a restored backup brings no withdrawn link back: the file beside it says so', async () => {
  const { restored } = await lost()
  expect(await restored()).toEqual([404, 200])
})

test('without the file the links from before the backup end, unless they are wanted', async () => {
  const one = await lost()
  rmSync(fileOf(one.linked.server))
  expect(await one.restored()).toEqual([404, 200])
  expect(JSON.parse(readFileSync(fileOf(one.linked.server), 'utf8'))).toMatchObject([{ withdrawnBy: 'fisk restore' }])
  const other = await lost()
  rmSync(fileOf(other.linked.server))
  expect(await other.restored('--keep-links')).toEqual([200, 200])
})

test('a server that has a database without its file, or the other way round, mends both', async () => {
  const linked = await startLinked()
  const sold = await soldAndTold(linked.kiosk)
  await withdrawn(linked, `/dashboard/invoices/${sold.id}`, 'link/withdraw')
  const before = readFileSync(fileOf(linked.server), 'utf8')
  await linked.server.stop()
  rmSync(fileOf(linked.server))
  await linked.server.restart()
  await expect.poll(() => readFileSync(fileOf(linked.server), 'utf8')).toBe(before)
  await linked.server.stop()
  await inDatabase(linked.server, 'DELETE FROM receipt_withdrawals')
  await linked.server.restart()
  expect(await statusOf(linked, sold.receipt_url)).toBe(404)
})

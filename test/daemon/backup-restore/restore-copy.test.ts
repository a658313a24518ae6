import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { proveCopy } from '../../../src/daemon/backup-restore/restore-copy.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { openStore } from '../../../src/store/store.ts'
import { mayMount, mountTmpfs } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'

const DEVICES = 120

/** Small, and restored with many reservations: what is changed needs more room than the backup did. */
async function backupWithDevices(): Promise<string> {
  const file = join(await tempDir(), 'b.db')
  await (await openStore(file, Date.now())).close()
  const database = new Database(file)
  database
    .prepare(
      `INSERT INTO companies (id, tenant_id, name, oib, vat_registered, address, fiscal_config, mode, status, created_at)
        VALUES ('c', 'default', 'x', '02994650199', 1, '{}', '{}', 'live', 'active', 1)`,
    )
    .run()
  const device = database.prepare(
    `INSERT INTO devices (id, tenant_id, company_id, premises_code, label, isu_number, isu_status, device_config, status,
      installed_at, created_at) VALUES ($n, 'default', 'c', 'P' || $n, $n, $n, 'assigned', '{}', 'active', 1, 1)`,
  )
  for (let i = 1; i <= DEVICES; i++) device.run({ n: String(i) })
  database.pragma('journal_mode = DELETE')
  database.close()
  return file
}

const small = () => {
  const disk = mountTmpfs(16)
  onTestFinished(() => disk.close())
  return disk
}

test.skipIf(!mayMount())(
  'on a disk that fills up, a restore is whole or leaves everything as it was',
  async () => {
    const disk = small()
    const file = await backupWithDevices()
    const { size } = statSync(file)
    const restored: boolean[] = []
    for (const extra of [-1, 0, 1, 2, 12]) {
      const dataDir = join(disk.path, 'data')
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'fiskd.db.damage'), 'before')
      disk.leave(2 * size + extra * 64 * 1024)
      const order = readRestoreOrder([file, '--gap', '1000'])
      const done = await restore(readConfig({ FISKD_DATA_DIR: dataDir }), order, Date.now()).catch(
        (error: Error) => error,
      )
      disk.makeRoom()
      const path = join(dataDir, 'fiskd.db')
      restored.push(!(done instanceof Error))
      if (done instanceof Error) {
        if (extra < 0) expect(done.message).toContain('there is no room to restore')
        expect(readdirSync(dataDir).filter((name) => name.startsWith('fiskd.db'))).toEqual(['fiskd.db.damage'])
      } else {
        const database = new Database(path, { readonly: true })
        expect(database.pragma('quick_check', { simple: true })).toBe('ok')
        const held = database.prepare('SELECT count(*) FROM reserved_numbers').pluck().get()
        database.close()
        expect(held).toBe(done.sequences.filter(({ from }) => from !== null).length)
        expect(held).toBeGreaterThanOrEqual(DEVICES)
      }
      rmSync(dataDir, { recursive: true })
    }
    expect([restored[0], restored.at(-1)]).toEqual([false, true])
  },
  60_000,
)

test.skipIf(!mayMount())('changes that do not fit into the one file are no restored database', async () => {
  const disk = small()
  const file = await backupWithDevices()
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('wal_autocheckpoint = 0')
  database.prepare("INSERT INTO meta (key, value) VALUES ('ballast', zeroblob(400000))").run()
  const copy = join(disk.path, 'fiskd.db.restoring')
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix)
  database.close()
  disk.leave(100_000)
  await expect(proveCopy(copy, { reserved: 0, sha256: '', at: 1 })).rejects.toThrow('is the disk full?')
  expect(existsSync(`${copy}-wal`)).toBe(true)
})

test('a copy that lacks what was written into it is no restored database', async () => {
  const copy = join(await tempDir(), 'copy.db')
  await (await openStore(copy, 1)).close()
  await expect(proveCopy(copy, { reserved: 2, sha256: 'a', at: 5 })).rejects.toThrow('holds 0 of 2 reserved ranges')
  await expect(proveCopy(copy, { reserved: 0, sha256: 'a', at: 5 })).rejects.toThrow('the entry of the audit log')
  const database = new Database(copy)
  database.exec(`INSERT INTO audit_log VALUES ('i', 5, 'a', 'default', 'database.restored', '{"sha256":"a"}')`)
  database.close()
  await proveCopy(copy, { reserved: 0, sha256: 'a', at: 5 })
})

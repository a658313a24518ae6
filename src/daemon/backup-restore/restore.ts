import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import type { Restored } from '../../contract/reports/restored.ts'
import { attempt } from '../../domain/attempt.ts'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { NumbersUnknown } from '../../fiscal/numbering/restored-numbers.ts'
import { UnusableDatabase } from '../../store/shared/damage.ts'
import { type KnownNumbers, missingInvoices, readKnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { BACKUP, backupMadeAt, STORED_HERE } from '../../store/shared/tables.ts'
import { requireOurDatabase } from '../../store/sqlite/quick-check.ts'
import { type OpenStore, openStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { becomeOwnerOf, claimDataDir } from '../lifecycle/data-dir.ts'
import { beginIssued, nameDatabase, numbersIssued } from '../lifecycle/issued-file.ts'
import { Obstacle } from '../lifecycle/obstacle.ts'
import { databasePath, reportPath } from '../lifecycle/open-database.ts'
import { withdrawalFile } from '../lifecycle/withdrawal-file.ts'
import { reserveNumbers } from './reserve-numbers.ts'
import { type RestoreOrder, WrongUse } from './restore-arguments.ts'
import {
  closeBackup,
  copyBackup,
  copyPath,
  openBackup,
  proveCopy,
  removeHalfRestore,
  requireRoomFor,
} from './restore-copy.ts'
import { removeSecondNames, replaceDatabase } from './restore-swap.ts'
import { setAsideBefore } from './set-aside.ts'

export type LastSteps = { proveCopy: typeof proveCopy; replaceDatabase: typeof replaceDatabase }

/**
 * Everything happens in a copy, which takes the place when it is complete and on the disk; what was there before is set
 * aside. On PostgreSQL a dump is in the place already. No receipt number is given out a second time.
 * @param last the steps after which nothing can be taken back
 * @throws Error that says what to do; the database is then as it was
 */
export async function restore(
  config: Config,
  order: RestoreOrder,
  now: number,
  last: LastSteps = { proveCopy, replaceDatabase },
): Promise<Restored> {
  const { dataDir, databaseUrl } = config
  const { file } = order
  if (databaseUrl !== null) return restoreDump({ ...config, databaseUrl }, order, now)
  if (file === null) throw new WrongUse('name one file to restore')
  // Before root gives its rights away: the owner of the data may not be allowed to read it.
  const backup = order.opened ?? openBackup(file)
  becomeOwnerOf(dataDir)
  const lock = await claimDataDir(dataDir).catch((error: unknown) => {
    closeBackup(backup)
    throw error
  })
  const path = databasePath(dataDir)
  const copy = copyPath(dataDir)
  try {
    removeHalfRestore(dataDir)
    requireRoomFor(file, backup, dataDir)
    const sha256 = await copyBackup(backup, copy)
    removeSecondNames(path)
    const refuse = (error: unknown): never => {
      if (error instanceof UnusableDatabase) throw new Error(`${file} cannot be restored: ${error.message}`)
      if (!(error instanceof NumbersUnknown) || error.wanted.length === 0) throw error
      const highest = error.wanted.map((name) => ` --highest ${name}=NUMBER`).join('')
      throw new Obstacle(error.message, `fisk restore ${shellWord(file)}${highest}`)
    }
    await requireOurDatabase(copy).catch(refuse)
    const databases = [...setAsideBefore(path), path].filter((one) => existsSync(one)).map(readKnownNumbers)
    const left = [...databases, ...(await numbersIssued(dataDir))]
    const beside = { sha256, left, lost: () => lostInvoices(left, copy) }
    const store = await openStore(copy, now).catch(refuse)
    await withdrawUnknownLinks(config, store, order, backupMadeAt(await store.meta.get(BACKUP)) ?? now, now)
    await store.meta.remove(BACKUP)
    const database = await nameDatabase(store.meta, randomUUID())
    const done = await reserveNumbers(config, store, order, beside, now).catch(refuse).finally(store.close)
    const reserved = done.sequences.filter(({ from }) => from !== null).length
    await last.proveCopy(copy, { reserved, sha256, at: now })
    const replaced = last.replaceDatabase(path, copy, now)
    // Said of the database that has gone; the next start would believe it of the one that came.
    rmSync(reportPath(dataDir), { force: true })
    await beginIssued(dataDir, database)
    return { database: path, file, sha256, replaced, ...done }
  } finally {
    closeBackup(backup)
    removeHalfRestore(dataDir)
    lock[Symbol.dispose]()
  }
}

/** @throws Error that says what to do; nothing can be sold on the database then */
async function restoreDump(
  config: Config & { databaseUrl: string },
  order: RestoreOrder,
  now: number,
): Promise<Restored> {
  const { dataDir, databaseUrl } = config
  const database = describeDatabaseUrl(databaseUrl)
  if (order.file !== null) {
    throw new Error(
      `the database is PostgreSQL (${database}): restore a dump of it into an empty database with pg_restore, ` +
        'and then run fisk restore without a file',
    )
  }
  becomeOwnerOf(dataDir)
  using _lock = await claimDataDir(dataDir)
  await using store = await openStore(databaseUrl, now, { ofDump: order.moved ? 'moved' : true })
  const left = await numbersIssued(dataDir)
  await withdrawUnknownLinks(config, store, order, now, now)
  const done = await reserveNumbers(config, store, order, { sha256: null, left, lost: () => null }, now)
  // What this data directory has issued is of the same database then, and the next start compares it.
  if (!order.moved) await beginIssued(dataDir, await nameDatabase(store.meta, randomUUID()))
  // The next start makes the mark of this place. A crash before this line costs a second gap, and no number.
  await store.meta.remove(STORED_HERE)
  return { database, file: null, sha256: null, replaced: null, ...done }
}

/** Counts the invoices that the copy lacks: they are no longer sent, because the database does not know them. */
function lostInvoices(left: readonly KnownNumbers[], copy: string): Restored['lost'] {
  for (const { path } of [...left].reverse()) {
    const missing = attempt(() => missingInvoices(path, copy), null)
    if (missing) return { invoices: missing.invoices, without_jir: missing.withoutJir }
    // This file is already listed as unreadable; try the one before it.
  }
  return null
}

/**
 * Where this server's file of withdrawals is gone, the links to what was sold before the backup end: some of them may have
 * been withdrawn since. The next start writes the file.
 * @param soldBefore the moment of the backup; of the restore where the backup does not say it
 */
async function withdrawUnknownLinks(
  { dataDir, role }: Config,
  { receiptLinks }: OpenStore,
  { keepLinks }: RestoreOrder,
  soldBefore: number,
  at: number,
): Promise<void> {
  if (role !== 'server' || keepLinks || (await withdrawalFile(dataDir).read()) !== null) return
  const all = { invoiceId: null, companyId: null }
  await receiptLinks.withdraw({ id: randomUUID(), ...all, soldBefore, at, withdrawnBy: 'fisk restore' })
}

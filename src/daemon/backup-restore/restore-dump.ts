import { randomUUID } from 'node:crypto'
import type { Restored } from '../../contract/reports/restored.ts'
import { describePostgresUrl } from '../../store/database-url.ts'
import { STORED_HERE } from '../../store/shared/tables.ts'
import { openStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { becomeOwnerOf } from '../lifecycle/become-owner.ts'
import { claimDataDir } from '../lifecycle/data-dir.ts'
import { beginIssued, nameDatabase, numbersIssued } from '../lifecycle/issued-file.ts'
import { reserveNumbers } from './reserve-numbers.ts'
import type { RestoreOrder } from './restore-arguments.ts'

/**
 * Makes a PostgreSQL database usable that was restored from a dump, so that no receipt number is given out a second time.
 * @throws Error that says what to do; nothing can be sold on the database then
 */
export async function restoreDump(
  config: Config & { databaseUrl: string },
  order: RestoreOrder,
  now: number,
): Promise<Restored> {
  const { dataDir, databaseUrl } = config
  const database = describePostgresUrl(databaseUrl)
  if (order.file !== null) {
    throw new Error(
      `the database is PostgreSQL (${database}): restore a dump of it into an empty database with pg_restore, ` +
        'and then run fisk restore without a file',
    )
  }
  becomeOwnerOf(dataDir)
  const lock = await claimDataDir(dataDir)
  try {
    const store = await openStore(databaseUrl, now, { ofDump: true })
    try {
      const left = await numbersIssued(dataDir)
      const done = await reserveNumbers(config, store, order, { sha256: null, left, lost: () => null }, now)
      await beginIssued(dataDir, await nameDatabase(store.meta, randomUUID()))
      // The next start makes the mark of this place. A crash before this line costs a second gap, and no number.
      await store.meta.remove(STORED_HERE)
      return { database, file: null, sha256: null, replaced: null, ...done }
    } finally {
      await store.close()
    }
  } finally {
    lock.release()
  }
}

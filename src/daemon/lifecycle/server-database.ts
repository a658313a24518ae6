import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { describePostgresUrl } from '../../store/database-url.ts'
import { NewerDatabase, RestoredDump, UnusableDatabase } from '../../store/shared/damage.ts'
import { openStore } from '../../store/store.ts'
import { VERSION } from '../version.ts'
import { requireMovedFile } from './moved-to-postgres.ts'
import { NoDatabase, refuseToGoBack, type SoundDatabase } from './open-database.ts'

const RESTORE = 'restore the last dump of it into an empty database with pg_restore, then fisk restore'
const AFTER_DUMP =
  'stop every fiskd of this database, run fisk restore without a file, which keeps receipt numbers from being given ' +
  'out again, and start them'

/**
 * Opens the PostgreSQL database of a server.
 * @param onReplaced told when another database is in the place of this one
 * @throws NoDatabase when it is not as fiskd made it, or a folder holds a SQLite database with sales that are not in it;
 *   Error when it cannot be reached
 */
export async function openServerDatabase(
  config: { dataDir: string; sharedDir: string; databaseUrl: string },
  now: number,
  onReplaced: (problem: string) => void = () => {},
): Promise<SoundDatabase> {
  const { dataDir, sharedDir, databaseUrl } = config
  for (const folder of [sharedDir, dataDir]) requireMovedFile(folder)
  try {
    const identity = { instance: instanceOf(dataDir), version: VERSION }
    const store = await openStore(databaseUrl, now, { identity, onBroken: onReplaced })
    await store.usedBy(VERSION).catch(() => {
      // Only for a message, should an older fiskd come here.
    })
    return { store, checked: Promise.resolve(undefined), close: () => store.close() }
  } catch (error) {
    if (error instanceof NewerDatabase) {
      throw new NoDatabase(refuseToGoBack(error).message, `install the newer fiskd again, or ${RESTORE}`)
    }
    if (!(error instanceof UnusableDatabase)) throw error
    const which = `the database ${describePostgresUrl(databaseUrl)}`
    if (error instanceof RestoredDump) throw new NoDatabase(`${which} cannot be sold on: ${error.message}`, AFTER_DUMP)
    throw new NoDatabase(`${which} is not as fiskd made it: ${error.message}`, `undo what was changed, or ${RESTORE}`)
  }
}

/** The data directory, which one process at a time uses, on one of several machines or containers of one name. */
function instanceOf(dataDir: string): string {
  const { dev, ino } = statSync(dataDir)
  return `${hostname()} ${realpathSync(dataDir)} ${dev}:${ino}`
}

import { existsSync, realpathSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { createVault } from '../../certificates/vault.ts'
import { loadVaultKey } from '../../certificates/vault-key.ts'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import { NewerDatabase, RestoredDump, UnusableDatabase } from '../../store/shared/damage.ts'
import { readOrigin } from '../../store/shared/database-origin.ts'
import { readKnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { type OpenStore, openStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import { takeInstanceLock } from './instance-lock.ts'
import {
  type DatabaseTrouble,
  databasePath,
  NoDatabase,
  openSoundDatabase,
  refuseToGoBack,
  type SoundDatabase,
} from './open-database.ts'

export const VAULT_PROOF = 'vault_proof'

/** Makes this process the only one that uses it. @throws Error when it cannot be made or another daemon runs here */
export async function claimDataDir(dataDir: string): Promise<Disposable> {
  await mkdir(dataDir, { recursive: true, mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the data directory ${dataDir} cannot be made: ${error.code}; see FISKD_DATA_DIR`, { cause: error })
  })
  return takeInstanceLock(dataDir)
}

/** Nothing there may come to belong to root. The folder counts: a file in it may be a link to a file of root. */
export function becomeOwnerOf(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || !owner || owner.uid === 0) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

/**
 * Makes what the first start makes, too: database and vault key.
 * @param trouble told when the database is broken, or replaced on PostgreSQL, and when the disk refuses a write
 * @throws NoDatabase when there is none to sell on; Error when the vault key is not the one that sealed what the
 * database holds, or when the database cannot keep sales safely
 */
export async function openDataDir(
  config: Config,
  now: number,
  trouble: DatabaseTrouble = { onDamage() {}, onRefusedWrite() {} },
): Promise<SoundDatabase & { vault: Vault }> {
  const { dataDir, sharedDir, databaseUrl, role } = config
  await mkdir(sharedDir, { recursive: true, mode: 0o750 })
  const database =
    databaseUrl === null
      ? await openSoundDatabase(dataDir, now, trouble, role === 'server')
      : await openServerDatabase({ dataDir, sharedDir, databaseUrl }, now, trouble.onDamage)
  try {
    return { ...database, vault: await openVault(config, database.store) }
  } catch (error) {
    await database.close()
    throw error
  }
}

const RESTORE = 'restore the last dump of it into an empty database with pg_restore, then fisk restore'
const AFTER_DUMP =
  'stop every fiskd of this database, run fisk restore without a file, which keeps receipt numbers from being given ' +
  'out again, and start them'
const AFTER_MOVE =
  'where nothing was sold since on the database it was copied from, which must not be started again, run fisk restore ' +
  '--moved, and start fiskd; otherwise run fisk restore without a file'

/**
 * @param onReplaced told when another database is in the place of this one
 * @throws NoDatabase when it is not as fiskd made it, or a folder holds a SQLite database with sales that it lacks;
 * Error when it cannot be reached
 */
async function openServerDatabase(
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
    const which = `the database ${describeDatabaseUrl(databaseUrl)}`
    if (error instanceof RestoredDump) {
      const fix = error.stoppedAt === undefined ? AFTER_DUMP : AFTER_MOVE
      throw new NoDatabase(`${which} cannot be sold on: ${error.message}`, fix)
    }
    throw new NoDatabase(`${which} is not as fiskd made it: ${error.message}`, `undo what was changed, or ${RESTORE}`)
  }
}

/** The data directory, which one process at a time uses, on one of several machines or containers of one name. */
function instanceOf(dataDir: string): string {
  const { dev, ino } = statSync(dataDir)
  return `${hostname()} ${realpathSync(dataDir)} ${dev}:${ino}`
}

/** It would give their numbers out again. @throws NoDatabase for a database that was sold on and was not moved */
function requireMovedFile(dataDir: string): void {
  const path = databasePath(dataDir)
  if (!existsSync(path) || statSync(path).size === 0) return
  if (readOrigin(path).movedTo !== null) return
  const { problem, sequences } = readKnownNumbers(path)
  if (problem === null && sequences.length === 0) return
  const which = problem === null ? 'holds sales' : `cannot be read (${problem})`
  throw new NoDatabase(
    `the database ${path} ${which}, and PostgreSQL does not know the numbers that it has given out`,
    'move its sales with fisk migrate-store, or the file out of the data directory if they belong to nobody',
  )
}

async function openVault({ sharedDir, credentialsDir, databaseUrl }: Config, store: OpenStore): Promise<Vault> {
  const proof = await store.meta.get(VAULT_PROOF)
  // A key made anew beside an old database would hide that the old one, and every company key with it, is lost.
  const location = { dataDir: sharedDir, ...(credentialsDir && { credentialsDir }), mayCreate: !proof }
  const vault = createVault(loadVaultKey(location))
  // Of two servers that begin at once on an empty database the first one's key counts.
  const kept = proof ?? (await store.meta.keep(VAULT_PROOF, vault.seal(Buffer.from(VAULT_PROOF), VAULT_PROOF)))
  try {
    vault.open(kept, VAULT_PROOF)
    return vault
  } catch (error) {
    const fix =
      databaseUrl === null
        ? 'restore it from the backup'
        : `servers on one database share one key: copy vault.key from another one to ${sharedDir}, readable by fiskd only`
    throw new Error(`the vault key is not the one of this database: ${fix}`, { cause: error })
  }
}

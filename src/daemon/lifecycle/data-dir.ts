import { mkdir } from 'node:fs/promises'
import { createVault } from '../../certificates/vault.ts'
import { loadVaultKey } from '../../certificates/vault-key.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { takeInstanceLock } from './instance-lock.ts'
import { type DatabaseTrouble, openSoundDatabase, type SoundDatabase } from './open-database.ts'
import { openServerDatabase } from './server-database.ts'

export interface DataDir extends SoundDatabase {
  vault: Vault
}

export const VAULT_PROOF = 'vault_proof'

/**
 * Makes the data directory if there is none, and this process the only one that uses it.
 * @throws Error when it cannot be made or another daemon runs here
 */
export async function claimDataDir(dataDir: string): Promise<{ release(): void }> {
  await mkdir(dataDir, { recursive: true, mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the data directory ${dataDir} cannot be made: ${error.code}; see FISKD_DATA_DIR`, { cause: error })
  })
  return takeInstanceLock(dataDir)
}

/**
 * Opens everything that a claimed data directory keeps, and makes what the first start makes: database and vault key.
 * @param trouble told when SQLite finds the database broken, or another one is in the place of it on PostgreSQL, and when
 *   the disk refuses a write
 * @throws NoDatabase when there is none to sell on; Error when the vault key is not the one that sealed what the
 *   database holds, or when the database cannot keep sales safely
 */
export async function openDataDir(
  config: Config,
  now: number,
  trouble: DatabaseTrouble = { onDamage() {}, onRefusedWrite() {} },
): Promise<DataDir> {
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

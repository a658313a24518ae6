import { mkdir } from 'node:fs/promises'
import { createVault } from '../certificates/vault.ts'
import { loadVaultKey } from '../certificates/vault-key.ts'
import type { Vault } from '../fiscal/ports.ts'
import type { OpenStore } from '../store/store.ts'
import type { Config } from './config.ts'
import { takeInstanceLock } from './instance-lock.ts'
import { openSoundDatabase, type SoundDatabase } from './sound-database.ts'

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
 * @param onDamage told when the database is found broken while it is used
 * @throws NoDatabase when there is none to sell on; Error when the vault key is not the one that sealed what the
 *   database holds, or when the database cannot keep sales safely
 */
export async function openDataDir(
  config: Config,
  now: number,
  onDamage: (problem: string) => void = () => {},
): Promise<DataDir> {
  const database = await openSoundDatabase(config.dataDir, now, onDamage)
  try {
    return { ...database, vault: await openVault(config, database.store) }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openVault({ dataDir, credentialsDir }: Config, store: OpenStore): Promise<Vault> {
  const proof = await store.meta.get(VAULT_PROOF)
  // A key made anew beside an old database would hide that the old one, and every company key with it, is lost.
  const vault = createVault(loadVaultKey({ dataDir, ...(credentialsDir && { credentialsDir }), mayCreate: !proof }))
  if (!proof) {
    await store.meta.set(VAULT_PROOF, vault.seal(Buffer.from(VAULT_PROOF), VAULT_PROOF))
    return vault
  }
  try {
    vault.open(proof, VAULT_PROOF)
    return vault
  } catch (error) {
    throw new Error('the vault key is not the one of this database: restore it from the backup', { cause: error })
  }
}

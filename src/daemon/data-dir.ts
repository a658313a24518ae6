import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createVault } from '../certificates/vault.ts'
import { loadVaultKey } from '../certificates/vault-key.ts'
import type { Vault } from '../fiscal/ports.ts'
import { type OpenStore, openStore } from '../store/store.ts'
import type { Config } from './config.ts'
import { takeInstanceLock } from './instance-lock.ts'

export interface DataDir {
  store: OpenStore
  vault: Vault
  lock: { release(): void }
}

const VAULT_PROOF = 'vault_proof'

export const databasePath = (dataDir: string) => join(dataDir, 'fiskd.db')

/**
 * Opens everything that the data directory keeps, and makes what the first start makes: the directory, the vault key,
 * the database. The instance lock is taken before anything is touched.
 * @throws Error when another daemon runs here, when the vault key is not the one that sealed what the database holds,
 *   or when the database cannot keep sales safely
 */
export async function openDataDir(config: Config, now: number): Promise<DataDir> {
  const { dataDir, credentialsDir } = config
  await mkdir(dataDir, { recursive: true, mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the data directory ${dataDir} cannot be made: ${error.code}; see FISKD_DATA_DIR`, { cause: error })
  })
  const lock = takeInstanceLock(dataDir)
  try {
    // A key made anew beside an old database would hide that the old one, and every company key with it, is lost.
    const mayCreate = !existsSync(databasePath(dataDir))
    const vault = createVault(loadVaultKey({ dataDir, ...(credentialsDir && { credentialsDir }), mayCreate }))
    const store = await openStore(databasePath(dataDir), now)
    try {
      await proveVaultKey(store, vault)
    } catch (error) {
      await store.close()
      throw error
    }
    return { store, vault, lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function proveVaultKey(store: OpenStore, vault: Vault): Promise<void> {
  const proof = await store.meta.get(VAULT_PROOF)
  if (!proof) return store.meta.set(VAULT_PROOF, vault.seal(Buffer.from(VAULT_PROOF), VAULT_PROOF))
  try {
    vault.open(proof, VAULT_PROOF)
  } catch (error) {
    throw new Error('the vault key is not the one of this database: restore it from the backup', { cause: error })
  }
}

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { VAULT_KEY_BYTES } from './vault.ts'

const CREDENTIAL = 'fiskd-vault-key'
const KEY_FILE = 'vault.key'

export interface VaultKeyLocation {
  dataDir: string
  /** The value of systemd's `$CREDENTIALS_DIRECTORY`. */
  credentialsDir?: string
  /** False when a certificate is stored, because a new key could not open it. */
  mayCreate: boolean
}

/**
 * Loads the key that seals stored private keys: 32 raw bytes from the systemd credential `fiskd-vault-key`, or else
 * from `vault.key` in the data directory, which is created on first use. Two processes that create it at the same time
 * get the same key.
 * @throws Error with the file and the fix: other users can read it, it has a wrong length, or it is missing
 */
export function loadVaultKey(location: VaultKeyLocation): Buffer {
  const path = join(location.dataDir, KEY_FILE)
  const key = fromCredential(location.credentialsDir) ?? fromFile(path)
  if (key) return key
  if (!location.mayCreate) {
    throw new Error(
      `${path} is missing, and without this key the stored certificates cannot be opened: ` +
        'restore it from the backup, copy it from another server on the same database, ' +
        'or restore a backup without its keys and upload the certificates again: fisk restore FILE --forget-keys',
    )
  }
  createKeyFile(location.dataDir, path)
  const created = fromFile(path)
  if (!created) throw new Error(`${path} vanished right after it was made`)
  return created
}

/** systemd protects the credential. Its mode is not checked, because access may be granted by an access list. */
function fromCredential(directory: string | undefined): Buffer | null {
  if (!directory) return null
  const path = join(directory, CREDENTIAL)
  return readIfThere(path, (fd) => checkedKey(path, readFileSync(fd)))
}

function fromFile(path: string): Buffer | null {
  return readIfThere(path, (fd) => {
    if ((fstatSync(fd).mode & 0o077) !== 0) {
      throw new Error(`${path} is open to other users of this machine: chmod 600 ${path}`)
    }
    return checkedKey(path, readFileSync(fd))
  })
}

function checkedKey(path: string, key: Buffer): Buffer {
  if (key.length === VAULT_KEY_BYTES) return key
  throw new Error(
    `${path} must hold exactly ${VAULT_KEY_BYTES} raw bytes, not ${key.length}: restore it from the backup`,
  )
}

function readIfThere(path: string, read: (fd: number) => Buffer): Buffer | null {
  try {
    return withFile(openSync(path, 'r'), read)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

function withFile<T>(fd: number, work: (fd: number) => T): T {
  try {
    return work(fd)
  } finally {
    closeSync(fd)
  }
}

/** `link` never replaces an existing file, so the second process gets the first one's key, complete and on disk. */
function createKeyFile(dataDir: string, path: string): void {
  const temporary = join(dataDir, `.${KEY_FILE}.${process.pid}.${randomBytes(6).toString('hex')}`)
  const fd = openSync(temporary, 'wx', 0o600)
  try {
    fchmodSync(fd, 0o600)
    writeSync(fd, randomBytes(VAULT_KEY_BYTES))
    fsyncSync(fd)
    linkSync(temporary, path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  } finally {
    closeSync(fd)
    unlinkSync(temporary)
  }
  withFile(openSync(dataDir, 'r'), fsyncSync)
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

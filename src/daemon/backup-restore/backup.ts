import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, FiskError } from '../../domain/errors.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import type { Backup, DatabaseCare } from '../../fiscal/ports/database-maintenance.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { LookAtDisk } from '../../fiscal/sales/disk-space.ts'
import { UnusableDatabase } from '../../store/shared/damage.ts'
import { databasePath } from '../lifecycle/open-database.ts'
import { removeCopy } from './set-aside.ts'

export interface BackupDeps {
  store: Store
  care: DatabaseCare
  clock: Clock
  lookAtDisk: LookAtDisk
  config: { dataDir: string; diskFloorBytes: number }
}

const copyPath = (dataDir: string) => join(dataDir, 'fiskd.db.backing-up')

export function removeHalfBackup(dataDir: string): void {
  removeCopy(copyPath(dataDir))
}

/**
 * The copy has no name any more when it is handed out: whatever happens to who reads it, nothing stays behind.
 * @throws FiskError 409 while another one is made or read, or on PostgreSQL; 500 without room, or when it is not whole
 */
export function createBackup({ store, care, clock, lookAtDisk, config }: BackupDeps) {
  const path = copyPath(config.dataDir)
  let underWay = false

  async function requireRoom(): Promise<void> {
    const { freeBytes } = await lookAtDisk()
    const sizes = await Promise.all(['', '-wal'].map((suffix) => sizeOf(databasePath(config.dataDir) + suffix)))
    const needed = config.diskFloorBytes + sizes.reduce((sum, size) => sum + size, 0)
    if (freeBytes === null || freeBytes >= needed) return
    const room = `${megabytes(freeBytes)} are free and ${megabytes(needed)} are needed`
    throw new FiskError('internal_error', `there is no room for a backup in ${config.dataDir}: ${room}`)
  }

  async function make(principal: Principal): Promise<Backup> {
    await requireRoom()
    removeHalfBackup(config.dataDir)
    try {
      const copy = await care.backUp(path)
      const file = await open(path, 'r')
      await rm(path)
      try {
        const { bytes, sha256, invoices } = copy
        await audit(store, principal, clock.now(), 'database.backed_up', { bytes, sha256, invoices })
        return { ...copy, body: file.createReadStream() }
      } catch (error) {
        await file.close()
        throw error
      }
    } catch (error) {
      throw asRefusal(error)
    } finally {
      removeHalfBackup(config.dataDir)
    }
  }

  return async (principal: Principal): Promise<Backup> => {
    if (care.server !== null) {
      throw conflict('backup', `the database is PostgreSQL (${care.server}): back it up with pg_dump or WAL archiving`)
    }
    if (underWay) throw conflict('backup', 'another backup is being made: wait for it')
    underWay = true
    const done = () => {
      underWay = false
    }
    try {
      const { body, ...facts } = await make(principal)
      // A stalled reader keeps its copy on the disk: `underWay` allows one copy, not one per request.
      body.once('end', done).once('close', done)
      return { ...facts, body }
    } catch (error) {
      done()
      throw error
    }
  }
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof UnusableDatabase)) return error
  const message = `the backup is not whole (${error.message}): ask \`fisk doctor\` about the database`
  return new FiskError('internal_error', message, { cause: error })
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`

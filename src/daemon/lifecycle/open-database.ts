import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { diskFaultOf } from '../../fiscal/ports/disk-fault.ts'
import { asUnusable, isDamage, MovedDatabase, NewerDatabase, UnusableDatabase } from '../../store/shared/damage.ts'
import { refuseForeignFile } from '../../store/shared/database-origin.ts'
import { makeDurable } from '../../store/sqlite/connection.ts'
import { type QuickCheck, quickCheck } from '../../store/sqlite/quick-check.ts'
import { withDatabase } from '../../store/sqlite/with-database.ts'
import { type OpenStore, openStore } from '../../store/store.ts'
import { setAside, setAsideBefore } from '../backup-restore/set-aside.ts'
import { VERSION } from '../version.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { ISSUED } from './issued-file.ts'
import { Obstacle } from './obstacle.ts'

/** There is no database to sell on: what is wrong, and what to do about it. */
export class NoDatabase extends Obstacle {
  /** What it is about. A disk may recover, so it is tried again. */
  readonly subject: 'database' | 'disk'

  constructor(problem: string, fix: string, subject: NoDatabase['subject'] = 'database') {
    super(problem, fix)
    this.name = 'NoDatabase'
    this.subject = subject
  }
}

export const databasePath = (dataDir: string) => join(dataDir, 'fiskd.db')

/** Says that the database was found broken while it was used: the next start sets it aside. */
export const reportPath = (dataDir: string) => join(dataDir, 'fiskd.db.damage')

/** A small file is read in no time, however long a busy machine takes to begin; a large one is checked while in use. */
const patienceMs = (bytes: number) => (bytes <= 64 * 1024 * 1024 ? 10_000 : 500)

const WORN_OUT =
  'restart the machine, and look for errors of the disk (dmesg); a card that does it again is worn out: replace it, and ' +
  'restore the last backup, or with a central server: fisk replace'

const RESTORE = 'stop fiskd and restore the last backup: fisk restore FILE'

export interface DatabaseTrouble {
  onDamage: (problem: string) => void
  onRefusedWrite: (error: unknown) => void
}

export interface SoundDatabase {
  store: OpenStore
  /**
   * Resolves when the file was looked at for long enough: the rest is checked while it is used. Rejects with
   * UnusableDatabase. @returns why it could not be checked, when it could not
   */
  checked: Promise<Error | undefined>
  close(): Promise<void>
}

/**
 * A broken one is set aside, never deleted, and an empty one is made only where there never was another.
 * @param found told when the file is found broken later on, or the disk refuses a write
 * @throws NoDatabase when it is broken, lost, or not as fiskd made it; Error when it cannot keep sales safely
 */
export async function openSoundDatabase(
  dataDir: string,
  now: number,
  { onDamage, onRefusedWrite }: DatabaseTrouble,
  ofFleet = false,
): Promise<SoundDatabase> {
  const path = databasePath(dataDir)
  try {
    // An empty file is what a power cut leaves of one.
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) refuseLost(dataDir)
    else if (existsSync(reportPath(dataDir))) {
      throw new UnusableDatabase([readFileSync(reportPath(dataDir), 'utf8').trim()], { damaged: true })
    } else {
      const origin = refuseForeignFile(path)
      // Without a table of ours all that there was stood in a log that is gone; or a power cut has ended the first start.
      if (origin?.migrations.length === 0) refuseLost(dataDir, TRACES_OF_SALES)
      if (origin?.isBackup) throw copyOfBackup(path)
      flushLog(path)
    }
    const store = await openStore(path, now, { onBroken: onDamage, onRefusedWrite, ofFleet })
    await noteProgram(store)
    await remember(dataDir, store)
    const check = quickCheck(path)
    const checked = early(check, patienceMs(statSync(path).size), onDamage)
    // The caller that awaits `checked` gets the error; this avoids an unhandled rejection if a step before it fails.
    checked.catch(() => {})
    const close = async () => {
      await check.stop()
      await store.close()
    }
    return { store, checked, close }
  } catch (error) {
    throw error instanceof UnusableDatabase ? refuse(error, dataDir, now) : error
  }
}

/**
 * After a failed flush the kernel takes the pages of the log for written and keeps them in its memory: this process
 * reads them, and with the next power cut they are gone. So what is read at the start is written anew before any
 * request is answered with it.
 * @throws SqliteError when the disk refuses it
 */
export function flushLog(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  withDatabase(path, (database) => {
    makeDurable(database)
    database.pragma('wal_checkpoint(TRUNCATE)')
  })
}

/** A copy by hand, in the place of the database. */
export const copyOfBackup = (path: string) =>
  new NoDatabase(`${path} is a copy that fisk backup made: it lacks what was sold since`, `fisk restore ${path}`)

/** A disk that takes no writes is told by others: this is only for a message, should an older fiskd come here. */
async function noteProgram(store: OpenStore): Promise<void> {
  await store.usedBy(VERSION).catch((error: unknown) => {
    if (isDamage(error)) throw error
  })
}

async function early(
  { problems }: QuickCheck,
  waitMs: number,
  onDamage: (problem: string) => void,
): Promise<Error | undefined> {
  const found = problems.catch((error: Error) => error)
  const patience = setTimeout(waitMs, undefined, { ref: false })
  const soon = await Promise.race([found, patience])
  if (soon instanceof Error) return soon
  if (soon && soon.length > 0) throw new UnusableDatabase(soon, { damaged: true })
  if (!soon) void found.then((late) => !(late instanceof Error) && late.length > 0 && onDamage(late.join('; ')))
  return undefined
}

/** What an error says of a database that is closed by now, or of its disk; undefined when it says nothing of the kind. */
export function noDatabaseOf(error: unknown, dataDir: string, now: number): NoDatabase | undefined {
  if (error instanceof NoDatabase) return error
  const unusable = asUnusable(error)
  if (unusable instanceof UnusableDatabase) return refuse(unusable, dataDir, now)
  return refusedByDisk(error, dataDir)
}

/** What a disk has refused, as a reason to sell nothing; undefined for every other error. A full one ends the start. */
export function refusedByDisk(error: unknown, dataDir: string): NoDatabase | undefined {
  const fault = diskFaultOf(error)
  if (fault === null || fault === 'full') return undefined
  const problem =
    fault === 'unreadable'
      ? `the memory card or disk of ${dataDir} cannot be read`
      : `the memory card or disk of ${dataDir} refuses to write`
  return new NoDatabase(problem, WORN_OUT, 'disk')
}

/** Makes the next start set the database aside, though it can still be opened. */
export async function reportDamage(dataDir: string, problem: string): Promise<void> {
  await writeFileAtomic(reportPath(dataDir), `${problem}\n`, 0o640)
}

function refuse(error: UnusableDatabase, dataDir: string, now: number): NoDatabase {
  if (error instanceof NewerDatabase) return refuseToGoBack(error)
  if (error instanceof MovedDatabase) return refuseMoved(error, dataDir)
  const { message, damaged } = error
  if (!damaged)
    return new NoDatabase(
      `the database is not as fiskd made it: ${message}`,
      `undo what was changed in it, or ${RESTORE}`,
    )
  const aside = setAside(databasePath(dataDir), 'damaged', now)
  rmSync(reportPath(dataDir), { force: true })
  return new NoDatabase(`the database was damaged (${message}) and is set aside as ${aside}`, RESTORE)
}

/** It is left exactly as it is, for the program that it belongs to. */
export function refuseToGoBack({ program, schema, known }: NewerDatabase): NoDatabase {
  const newer = program === null ? 'a newer fiskd' : `fiskd ${program}`
  return new NoDatabase(
    `the database belongs to ${newer} (schema ${schema}), and this is the older fiskd ${VERSION} (schema ${known})`,
    `install the newer fiskd again: sudo apt install ./fiskd_${program ?? 'VERSION'}_ARCH.deb; or restore the backup that was made before the upgrade: fisk restore FILE`,
  )
}

/** Two databases that number the same premises give numbers out twice. */
function refuseMoved({ to }: MovedDatabase, dataDir: string): NoDatabase {
  return new NoDatabase(
    `the sales of ${databasePath(dataDir)} were moved to ${to}, where they go on`,
    'set FISKD_ROLE=server and FISKD_DATABASE_URL to that database, and restart fiskd',
  )
}

/** Says that there was a database here, whatever else of it lies elsewhere or nowhere. */
const MARKER = 'fiskd.db.made'

/** Only of a database that stands in its own file, and not in the log alone: where that is lost, the file says so. */
async function remember(dataDir: string, { care }: OpenStore): Promise<void> {
  const marker = join(dataDir, MARKER)
  if (existsSync(marker)) return
  await care.checkpoint()
  await writeFileAtomic(marker, 'fiskd made a database here\n', 0o640)
}

/** What the first start makes once its database stands in a file of its own. */
const TRACES_OF_SALES = [MARKER, 'vault.key', 'tls', ISSUED]

/** One made anew beside what is left of an old one would give out its numbers again. @throws NoDatabase */
export function refuseLost(dataDir: string, signs: readonly string[] = [...TRACES_OF_SALES, 'fiskd.db-wal']): void {
  const aside = setAsideBefore(databasePath(dataDir)).at(-1)
  if (aside) throw new NoDatabase(`the database is set aside as ${aside}, and there is no other`, RESTORE)
  const traces = signs.filter((name) => existsSync(join(dataDir, name)))
  if (traces.length === 0) return
  const fix = `${RESTORE}. To begin anew at a premises that never sold, move ${traces.join(', ')} out of ${dataDir}`
  throw new NoDatabase(`the database ${databasePath(dataDir)} is gone`, fix)
}

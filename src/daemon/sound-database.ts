import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { UnusableDatabase } from '../store/damage.ts'
import { type QuickCheck, quickCheck } from '../store/quick-check.ts'
import { type OpenStore, openStore } from '../store/store.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { setAside, setAsideBefore } from './set-aside.ts'

/** There is no database to sell on: what is wrong, and what to do about it. */
export class NoDatabase extends Error {
  readonly fix: string

  constructor(problem: string, fix: string) {
    super(problem)
    this.name = 'NoDatabase'
    this.fix = fix
  }
}

export const databasePath = (dataDir: string) => join(dataDir, 'fiskd.db')

/** Says that the database was found broken while it was used: the next start sets it aside. */
export const reportPath = (dataDir: string) => join(dataDir, 'fiskd.db.damage')

/** How long a start waits for the check of the file; a larger one is checked while it is already used. */
const CHECK_PATIENCE_MS = 500

const RESTORE = 'stop fiskd and restore the last backup: fisk restore FILE'

/**
 * Opens the database of a data directory and has its file checked. A broken one is set aside, never deleted, and an
 * empty one is made only where there never was another.
 * @param onDamage told when the file is found broken later on
 * @throws NoDatabase when it is broken, lost, or not as fiskd made it; Error when it cannot keep sales safely
 */
export async function openSoundDatabase(
  dataDir: string,
  now: number,
  onDamage: (problem: string) => void,
): Promise<{ store: OpenStore; check: QuickCheck }> {
  const path = databasePath(dataDir)
  try {
    if (!existsSync(path)) refuseLost(dataDir)
    else if (existsSync(reportPath(dataDir))) {
      throw new UnusableDatabase([readFileSync(reportPath(dataDir), 'utf8').trim()], { damaged: true })
    }
    const store = await openStore(path, now, onDamage)
    const check = quickCheck(path)
    const patience = setTimeout(CHECK_PATIENCE_MS, undefined, { ref: false })
    const early = await Promise.race([check.problems, patience])
    if (early && early.length > 0) {
      await store.close()
      throw new UnusableDatabase(early, { damaged: true })
    }
    if (!early)
      check.problems.then(
        (late) => late.length > 0 && onDamage(late.join('; ')),
        () => {},
      )
    return { store, check }
  } catch (error) {
    throw error instanceof UnusableDatabase ? refuse(error, dataDir, now) : error
  }
}

/** Makes the next start set the database aside, though it can still be opened. */
export async function reportDamage(dataDir: string, problem: string): Promise<void> {
  await writeFileAtomic(reportPath(dataDir), `${problem}\n`, 0o640)
}

function refuse({ message, damaged }: UnusableDatabase, dataDir: string, now: number): NoDatabase {
  if (!damaged) return new NoDatabase(`the database is not as fiskd made it: ${message}`, RESTORE)
  const aside = setAside(databasePath(dataDir), 'damaged', now)
  rmSync(reportPath(dataDir), { force: true })
  return new NoDatabase(`the database was damaged (${message}) and is set aside as ${aside}`, RESTORE)
}

/** A database made anew beside what is left of an old one would give out its numbers again. */
function refuseLost(dataDir: string): void {
  const aside = setAsideBefore(databasePath(dataDir)).at(-1)
  if (aside) throw new NoDatabase(`the database is set aside as ${aside}, and there is no other`, RESTORE)
  const traces = ['vault.key', 'tls', 'fiskd.db-wal'].filter((name) => existsSync(join(dataDir, name)))
  if (traces.length === 0) return
  const fix = `${RESTORE}. To begin anew at a premises that never sold, move ${traces.join(', ')} out of ${dataDir}`
  throw new NoDatabase(`the database ${databasePath(dataDir)} is gone`, fix)
}

import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, failure, fine, skipped } from '../../domain/check.ts'
import { alike, joined } from '../../domain/texts/both.ts'
import { dataDir } from '../io.ts'
import { daemonEnvironment } from '../machine/fiskd-program.ts'
import { holdersOf, type Process, spoken } from './processes.ts'
import { type Around, procOf, textOf } from './system.ts'

const NAME = { en: 'database users', hr: 'tko koristi bazu podataka' }
const SUDO = alike('sudo fisk doctor')

/** Whether a process beside the daemon has the database open; [] where there is no database. */
export function databaseUsersCheck(io: Around): Check[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const database = join(folder, 'fiskd.db')
  let file: Stats
  try {
    file = statSync(database)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return []
    return [skipped(NAME, { en: `you may not look into ${folder}`, hr: `nemate pravo pregledati ${folder}` }, SUDO)]
  }
  // By the file itself: its name may differ where it is seen from.
  const { holders, unseen } = holdersOf(procOf(io), (link) => isSame(file, link))
  const daemon = textOf(join(folder, 'fiskd.pid'))
  const strangers = holders.filter(({ pid, parent }) => pid !== daemon && parent !== daemon)
  if (strangers.length > 0) return [found(database, strangers)]
  if (unseen) {
    const detail = {
      en: 'none of those that can be seen; some processes keep their files to themselves',
      hr: 'nijedan od vidljivih; neki procesi ne pokazuju svoje datoteke',
    }
    return [skipped(NAME, detail, process.getuid?.() === 0 ? null : SUDO)]
  }
  return [
    fine(NAME, {
      en: 'no process beside the daemon has the database open',
      hr: 'bazu podataka ima otvorenu samo fiskd',
    }),
  ]
}

function found(database: string, strangers: readonly Process[]): Check {
  const who = joined(strangers.map(spoken), ', ')
  const pids = strangers.map(({ pid }) => pid).join(' ')
  const fix = {
    en: `end it: sudo kill ${pids}; to look at sales use fisk, or a copy: fisk backup FILE`,
    hr: `zaustavite ga: sudo kill ${pids}; za pregled računa koristite fisk ili kopiju: fisk backup FILE`,
  }
  const detail = {
    en: `${who.en} has ${database} open beside the daemon`,
    hr: `${who.hr}: uz fiskd ima otvorenu bazu podataka ${database}`,
  }
  return failure(NAME, detail, fix)
}

export function isSame({ dev, ino }: Stats, path: string): boolean {
  const other = statSync(path, { throwIfNoEntry: false })
  return other?.dev === dev && other.ino === ino
}

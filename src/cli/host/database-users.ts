import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, failure, fine, skipped } from '../../domain/check.ts'
import { dataDir } from '../io.ts'
import { daemonEnvironment } from '../machine/fiskd-program.ts'
import { clean, shorten } from '../text/columns.ts'
import { type Around, procOf } from './system.ts'

const NAME = 'database users'
const SUDO = 'sudo fisk doctor'

interface Process {
  pid: string
  parent: string
  command: string
}

/** Whether a process beside the daemon has the database open; [] where there is no database. */
export function databaseUsersCheck(io: Around): Check[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const database = join(folder, 'fiskd.db')
  let file: Stats
  try {
    file = statSync(database)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return []
    return [skipped(NAME, `you may not look into ${folder}`, SUDO)]
  }
  const { holders, unseen } = holdersOf(file, procOf(io))
  const daemon = textOf(join(folder, 'fiskd.pid')).trim()
  const strangers = holders.filter(({ pid, parent }) => pid !== daemon && parent !== daemon)
  if (strangers.length > 0) return [found(database, strangers)]
  if (unseen) {
    const detail = 'none of those that can be seen; some processes keep their files to themselves'
    return [skipped(NAME, detail, process.getuid?.() === 0 ? null : SUDO)]
  }
  return [fine(NAME, 'no process beside the daemon has the database open')]
}

function found(database: string, strangers: readonly Process[]): Check {
  const who = strangers.map(({ pid, command }) => `process ${pid} (${command})`).join(', ')
  const fix = `end it: sudo kill ${strangers.map(({ pid }) => pid).join(' ')}; to look at sales use fisk, or a copy: fisk backup FILE`
  return failure(NAME, `${who} has ${database} open beside the daemon`, fix)
}

/** Every process that has a file open, by the file itself: its name may differ where it is seen from. */
function holdersOf(file: Stats, proc: string): { holders: Process[]; unseen: boolean } {
  const holders: Process[] = []
  let unseen = false
  for (const pid of namesIn(proc).filter((name) => /^\d+$/.test(name))) {
    try {
      const fds = readdirSync(join(proc, pid, 'fd'))
      if (fds.some((fd) => isSame(file, join(proc, pid, 'fd', fd)))) holders.push(processOf(pid, proc))
    } catch (error) {
      // One that has ended meanwhile holds nothing.
      unseen ||= !['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))
    }
  }
  return { holders, unseen }
}

function isSame({ dev, ino }: Stats, path: string): boolean {
  const other = statSync(path, { throwIfNoEntry: false })
  return other?.dev === dev && other.ino === ino
}

function processOf(pid: string, proc: string): Process {
  const parent = /^PPid:\s+(\d+)/m.exec(textOf(join(proc, pid, 'status')))?.[1] ?? ''
  const command = shorten(clean(textOf(join(proc, pid, 'cmdline')).replaceAll('\0', ' ')).trim(), 60)
  return { pid, parent, command: command || 'of an unknown program' }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A process may end while it is looked at. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { asideName, SUFFIXES, setAside, setAsideBefore } from './set-aside.ts'

/** A complete database is at `path` at every moment, or none if the old was broken. @returns where the old is, if any */
export function replaceDatabase(path: string, copy: string, now: number): string | null {
  syncPath(copy)
  const aside = keepAside(path, now)
  syncPath(dirname(path))
  renameSync(copy, path)
  syncPath(dirname(path))
  return aside
}

/** What a crash has left between a second name for the old database and the new one in its place. */
export function removeSecondNames(path: string): void {
  const ino = lstatSync(path, { throwIfNoEntry: false })?.ino
  for (const aside of setAsideBefore(path)) if (lstatSync(aside).ino === ino) rmSync(aside)
}

function keepAside(path: string, now: number): string | null {
  const left = SUFFIXES.filter((suffix) => statSync(path + suffix, { throwIfNoEntry: false }))
  if (left.length === 0) return null
  if (!left.includes('') || !isOneFile(path)) return setAside(path, 'replaced', now)
  const aside = asideName(path, 'replaced', now)
  try {
    linkSync(path, aside)
    return aside
  } catch {
    // A file system without second names.
    return setAside(path, 'replaced', now)
  }
}

/** Left beside the new database, the log would be taken for its own. @returns false when the log is still there */
function isOneFile(path: string): boolean {
  try {
    const database = new Database(path)
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
  } catch {
    return false
  }
  return SUFFIXES.every((suffix) => suffix === '' || !statSync(path + suffix, { throwIfNoEntry: false }))
}

/** What a process leaves of its claim to a data directory. */
export const locksOf = (dataDir: string) => ['fiskd.lock', 'fiskd.pid'].map((name) => join(dataDir, name))

export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

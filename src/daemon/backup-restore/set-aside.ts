import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What SQLite keeps beside a database, the database first. */
export const SUFFIXES = ['', '-wal', '-shm']

/** With what SQLite keeps beside it: nothing that may hold sales is ever deleted. @returns the new path */
export function setAside(path: string, why: 'damaged' | 'replaced', now: number): string {
  const target = asideName(path, why, now)
  for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix)
  return target
}

/** Removes an unused copy, and the files that SQLite keeps or a crash has left next to it. */
export function removeCopy(path: string): void {
  for (const suffix of [...SUFFIXES, '-journal']) rmSync(path + suffix, { force: true })
}

export function asideName(path: string, why: 'damaged' | 'replaced', now: number): string {
  const moment = new Date(now).toISOString().replaceAll(':', '-').replace(/\.\d+/, '')
  let target = `${path}.${why}-${moment}`
  for (let i = 2; existsSync(target); i++) target = `${path}.${why}-${moment}-${i}`
  return target
}

/** The databases that were set aside, the latest last. */
export function setAsideBefore(path: string): string[] {
  const name = `${basename(path)}.`
  return readdirSync(dirname(path))
    .filter((file) => file.startsWith(`${name}damaged-`) || file.startsWith(`${name}replaced-`))
    .filter((file) => !SUFFIXES.some((suffix) => suffix !== '' && file.endsWith(suffix)))
    .sort((one, other) => dateOf(one).localeCompare(dateOf(other)))
    .map((file) => join(dirname(path), file))
}

const dateOf = (file: string) => /-(\d{4}-.*)$/.exec(file)?.[1] ?? ''

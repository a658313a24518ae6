import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './arguments.ts'
import type { Chance } from './chance.ts'
import type { Scratch } from './scratch.ts'
import { pause } from './wait.ts'

/** Debian puts the library for programs with threads into the folder of the architecture, others right into these. */
const PLACES = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
const LIBRARY = 'faketime/libfaketimeMT.so.1'

const HOUR_S = 3600

export interface MovedClock {
  /** What the daemon is to be started with. */
  env: Record<string, string>
  /** Starts moving the clock at random. */
  begin(): void
  /** Sets the clock right again. @returns how often it was moved */
  finish(): Promise<number>
}

/**
 * The daemon's wall clock, moved by up to two days back and three ahead while it runs and between its lives. The
 * monotonic clock stays as it is, as on a real machine whose time is set.
 * @throws UsageError when libfaketime is not installed or does nothing
 */
export function openClock(chance: Chance, scratch: Scratch): MovedClock {
  const library = findLibrary()
  if (library === undefined) throw new UsageError('--clock needs libfaketime: install Debian package faketime')
  const file = join(scratch.dir, 'clock-offset')
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    // Seconds. Without a cache the library would read the file at every look at the clock, thousands of times a second.
    FAKETIME_CACHE_DURATION: '1',
    // The name changed between versions of the library.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  let moves = 0
  let over = false
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!over) {
      await pause(chance.between(500, 4000))
      setOffset(file, Math.round(chance.between(-48, 72) * HOUR_S))
      moves++
    }
  }

  prove(env, file)
  setOffset(file, 0)
  return {
    env,
    begin() {
      working = work()
    },
    async finish() {
      over = true
      await working
      setOffset(file, 0)
      return moves
    },
  }
}

/** A library that is not loaded is ignored without a word, and would leave every clock as it is. */
function prove(env: Record<string, string>, file: string): void {
  setOffset(file, 72 * HOUR_S)
  const shown = spawnSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' })
  const ahead = Number(shown.stdout) - Date.now()
  if (!(Math.abs(ahead - 72 * HOUR_S * 1000) < 60_000)) {
    throw new UsageError(`--clock: libfaketime does not move the clock (${shown.stderr.trim() || `${ahead} ms`})`)
  }
}

/** At once and whole: the library may read it at any moment. */
function setOffset(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  renameSync(`${file}.new`, file)
}

function findLibrary(): string | undefined {
  const folders = PLACES.filter((place) => existsSync(place)).flatMap((place) => [
    place,
    ...readdirSync(place).map((name) => join(place, name)),
  ])
  return folders.map((folder) => join(folder, LIBRARY)).find((path) => existsSync(path))
}

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran } from '../support/fisk.ts'
import { inProject, runWith, standIn } from '../support/stand-in.ts'
import { tempDir } from '../support/temp-dir.ts'

interface Machine {
  backUp(env?: Record<string, string>): Ran
  /** The names of the copies, in order. */
  copies(): string[]
  /** What the command `fisk` does from now on, in shell; `$2` is the file. */
  fisk(script: string): void
  data: string
}

/** A machine with these copies, at noon of 1 August 2026. */
async function machine(...copies: string[]): Promise<Machine> {
  const dir = await tempDir()
  const [data, folder] = [join(dir, 'data'), join(dir, 'backups')]
  for (const path of [data, folder]) mkdirSync(path)
  writeFileSync(join(data, 'fiskd.db'), 'database')
  for (const name of copies) writeFileSync(join(folder, name), name)
  const fisk = (script: string) => standIn(dir, 'fisk', script)
  const FISK = fisk('echo copy > "$2"')
  standIn(dir, 'date', 'echo 20260801T120000Z')
  return {
    data,
    fisk,
    copies: () => readdirSync(folder).sort(),
    backUp: (env = {}) =>
      runWith(dir, inProject('systemd/nightly-backup'), [], {
        FISKD_DATA_DIR: data,
        BACKUP_DIR: folder,
        BACKUP_KEEP: '3',
        FISK,
        ...env,
      }),
  }
}

const copyOf = (day: string) => `fiskd-${day}T030000Z.db`
const NOW = 'fiskd-20260801T120000Z.db'
const JULY = ['20260729', '20260730', '20260731'].map(copyOf)

test('a nightly copy takes the place of the oldest', async () => {
  const { backUp, copies } = await machine(...JULY)
  expect(backUp()).toMatchObject({ code: 0, stderr: '' })
  expect(copies()).toEqual([JULY[1], JULY[2], NOW])
})

test('a copy that fails removes no other and shows', async () => {
  const { backUp, copies, fisk } = await machine(...JULY)
  fisk('echo "No daemon answers." >&2; exit 1')
  expect(backUp()).toMatchObject({ code: 1, stderr: 'No daemon answers.\n' })
  expect(copies()).toEqual(JULY)
})

test('half a copy of an earlier night counts for nothing and goes', async () => {
  const { backUp, copies } = await machine(...JULY, `${copyOf('20260728')}.812.part`)
  backUp()
  expect(copies()).toEqual([JULY[1], JULY[2], NOW])
})

test('a file that somebody else put there stays', async () => {
  const others = ['before-upgrade.db', 'fiskd-2026.db', 'fiskd-20260101T000000Z.db.keep']
  const { backUp, copies } = await machine(...JULY, ...others)
  backUp()
  expect(copies()).toEqual([...others, JULY[1], JULY[2], NOW].sort())
})

test('copies of a clock that ran ahead go before true ones, and the newest copy always stays', async () => {
  const { backUp, copies } = await machine(copyOf('20310101'), copyOf('20310102'), ...JULY.slice(1))
  backUp()
  expect(copies()).toEqual([JULY[1], JULY[2], NOW])
  backUp({ BACKUP_KEEP: '1' })
  expect(copies()).toEqual([NOW])
})

test('before the first start there is nothing to copy, and nothing wrong', async () => {
  const { backUp, copies, data } = await machine()
  runWith('', 'rm', [join(data, 'fiskd.db')])
  expect(backUp()).toMatchObject({ code: 0, stdout: `no database in ${data} yet: nothing to copy\n` })
  expect(copies()).toEqual([])
})

test('a database that was set aside is asked about, and that shows', async () => {
  const { backUp, data, fisk } = await machine()
  runWith('', 'mv', [join(data, 'fiskd.db'), join(data, 'fiskd.db.damaged-1')])
  fisk('exit 1')
  expect(backUp().code).toBe(1)
})

test('no copy is made where it would leave the sales no room', async () => {
  const { backUp, copies } = await machine(...JULY)
  const { code, stderr } = backUp({ FISKD_DISK_FLOOR_MB: '900000000' })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/MB free and 900000000 MB are needed: make room/)])
  expect(copies()).toEqual(JULY)
})

test('a number of copies that is none is refused before anything is done', async () => {
  const { backUp, copies } = await machine(...JULY)
  for (const BACKUP_KEEP of ['0', 'all', '-1', '014']) expect(backUp({ BACKUP_KEEP }).code).toBe(1)
  expect(copies()).toEqual(JULY)
})

test('a server on PostgreSQL has nothing to copy, and says what does it', async () => {
  const { backUp, copies } = await machine(...JULY)
  const ran = backUp({ FISKD_DATABASE_URL: 'postgres://fiskd@/fiskd?host=/run/postgresql' })
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('pg_dump') })
  expect(copies()).toEqual(JULY)
})

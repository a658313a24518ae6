import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

/** What is in the database file itself, whatever its log says. */
function inFile(path: string, copy: string): unknown {
  copyFileSync(path, copy)
  const database = new Database(copy, { readonly: true })
  try {
    return database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get('of the fleet')
  } finally {
    database.close()
  }
}

/** The processes that hold a file open. */
function holders(path: string): number[] {
  const holds = (pid: string) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && holds(name))
    .map(Number)
}

test('what a server takes in is carried into the database beside it, by a process that ends with the store', async () => {
  const dir = await makeTempDir(onTestFinished)
  const path = join(dir, 'fiskd.db')
  const store = await openStore(path, 0, { ofFleet: true })
  await store.meta.keep('of the fleet', Buffer.from('x'))
  await store.ingest('kiosk', async () => {})
  await expect.poll(() => inFile(path, join(dir, 'copy.db'))).toBeDefined()
  expect(holders(path)).toHaveLength(2)
  await store.close()
  expect(holders(path)).toEqual([])
})

const TAKE_IN = `
  import { openStore } from ${JSON.stringify(fileURLToPath(new URL('../../../src/store/store.ts', import.meta.url)))}
  const store = await openStore(process.argv[1], 0, { ofFleet: true })
  await store.ingest('kiosk', async () => {})
  setInterval(() => {}, 1000)
`

test('a server that is killed leaves nobody behind, and its log as it was', async () => {
  const path = join(await makeTempDir(onTestFinished), 'fiskd.db')
  const server = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', TAKE_IN, path])
  onTestFinished(() => void server.kill('SIGKILL'))
  await expect.poll(() => holders(path).length).toBe(2)
  server.kill('SIGKILL')
  await expect.poll(() => holders(path)).toEqual([])
  expect(existsSync(`${path}-wal`)).toBe(true)
})

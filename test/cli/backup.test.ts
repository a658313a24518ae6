import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { refusal, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'
import { type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../support/gateway.ts'
import { tempDir } from '../support/temp-dir.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const backup = (...argv: string[]) => fisk(['backup', ...argv], { socket: gateway.socketPath })
const leftovers = (dir = gateway.dataDir) => readdirSync(dir).filter((name) => name.includes('backing-up'))

test('a backup under load holds every sale that was answered before it began, and sales go on', async () => {
  const before: InvoiceBody[] = []
  for (let i = 0; i < 5; i++) before.push(await gateway.sell())
  const file = join(await tempDir(), 'backup.db')
  let ended = false
  const during: InvoiceBody[] = []
  const selling = (async () => {
    while (!ended) during.push(await gateway.sell())
  })()
  const ran = await backup(file, '--json')
  ended = true
  await selling

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  const made = JSON.parse(ran.stdout)
  const bytes = readFileSync(file)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(made).toMatchObject({ file, bytes: bytes.length, sha256 })
  expect(made.invoices).toBeGreaterThanOrEqual(5)
  expect(during.length).toBeGreaterThan(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(leftovers()).toEqual([])

  const copy = new Database(file, { readonly: true })
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
  const ids = copy.prepare('SELECT id FROM invoices').pluck().all()
  copy.close()
  expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
  expect(ids).toHaveLength(made.invoices)
  expect(readdirSync(join(file, '..'))).toEqual(['backup.db'])

  const store = await openStore(file, Date.now())
  const newest = await store.invoices.get(String(ids.sort().at(-1)))
  await store.close()
  expect(new Date(newest?.createdAt ?? 0).toISOString()).toBe(made.newest_invoice_at)

  const { body } = await gateway.admin<{ data: object[] }>('/admin/audit?limit=1')
  const detail = { sha256, bytes: bytes.length, invoices: made.invoices }
  expect(body.data).toMatchObject([{ action: 'database.backed_up', actor: 'operator', detail }])
})

test('a file that is there is replaced only when that is asked for', async () => {
  const file = join(await tempDir(), 'backup.db')
  writeFileSync(file, 'precious')
  const refused = await backup(file)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--force')
  expect(readFileSync(file, 'utf8')).toBe('precious')
  const forced = await backup(file, '--force')
  expect(forced.code).toBe(0)
  expect(forced.stdout).toContain('vault.key')
  for (const line of forced.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(readFileSync(file, 'latin1')).toMatch(/^SQLite format 3/)
})

test('a place that cannot be written to is named, and nothing stays in the data directory', async () => {
  const ran = await backup(join(await tempDir(), 'nowhere', 'backup.db'))
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no directory') })
  expect(leftovers()).toEqual([])
})

test('the standard output takes the bytes and nothing else', async () => {
  const body = Buffer.from('SQLite format 3, or so')
  const stub = await downloading(body)
  const ran = await fisk(['backup', '-'], { socket: stub.socket })
  expect(ran).toMatchObject({ code: 0, stdout: body.toString() })
  expect(ran.stderr).toContain('SHA-256')
  expect((await fisk(['backup', '-', '--json'], { socket: stub.socket })).code).toBe(2)
  await stub.close()
})

test('a backup that arrives changed or cut off leaves no file', async () => {
  const dir = await tempDir()
  for (const headers of [{ 'x-sha256': '0'.repeat(64) }, { 'content-length': '500' }]) {
    const stub = await downloading(Buffer.from('half'), headers)
    const ran = await fisk(['backup', join(dir, 'b.db')], { socket: stub.socket })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('did not arrive') })
    await stub.close()
  }
  expect(readdirSync(dir)).toEqual([])
})

test('what the daemon refuses is said, and no file is made', async () => {
  const stub = await startAdminStub()
  stub.answer('GET /admin/backup', refusal(409, 'invalid_request', 'another backup is being made: wait for it'))
  const ran = await fisk(['backup', join(stub.directory, 'b.db')], { socket: stub.socket })
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('another backup is being made') })
  expect(existsSync(join(stub.directory, 'b.db'))).toBe(false)
  await stub.close()
})

test('one backup is made at a time', async () => {
  const dir = await tempDir()
  const ran = await Promise.all(['a', 'b', 'c'].map((name) => backup(join(dir, name))))
  const refused = ran.filter(({ code }) => code === 1)
  expect(refused.length).toBe(2)
  for (const { stderr } of refused) expect(stderr).toContain('another backup is being made')
})

test('whoever goes away during the download leaves nothing open and nothing behind', async () => {
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let i = 0; i < 3; i++) {
    await expect.poll(downloadAndGoAway).toBe(200)
  }
  await expect.poll(open).toBeLessThanOrEqual(before)
  expect(leftovers()).toEqual([])
})

test('while somebody still reads a copy no other is made', async () => {
  const big = await startGateway()
  await big.stop()
  const database = new Database(join(big.dataDir, 'fiskd.db'))
  database.prepare("INSERT INTO meta (key, value) VALUES ('ballast', zeroblob(8000000))").run()
  database.close()
  await big.restart()
  const [stalled] = await once(request({ socketPath: big.socketPath, path: '/admin/backup' }).end(), 'response')
  expect(stalled.statusCode).toBe(200)
  const another = () => downloadAndGoAway(big)
  expect(await another()).toBe(409)
  stalled.destroy()
  await expect.poll(another).toBe(200)
})

test('without room for a copy nothing is begun', async () => {
  const { bavail, bsize } = statfsSync(gateway.dataDir)
  const floor = Math.ceil((bavail * bsize * 2) / 1024 / 1024)
  const full = await startGateway({ FISKD_DISK_FLOOR_MB: String(floor) })
  const ran = await fisk(['backup', join(await tempDir(), 'b.db')], { socket: full.socketPath })
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no room for a backup') })
})

test('what a crash has left of a copy is gone after the next start', async () => {
  const crashed = await startGateway()
  await crashed.stop()
  for (const name of ['fiskd.db.backing-up', 'fiskd.db.backing-up-journal', 'fiskd.db.restoring']) {
    writeFileSync(join(crashed.dataDir, name), 'half')
  }
  await crashed.restart()
  expect(readdirSync(crashed.dataDir).filter((name) => /backing-up|restoring/.test(name))).toEqual([])
})

test('a damaged database gives no backup', async () => {
  const damaged = await startGateway()
  for (let i = 0; i < 30; i++) await damaged.sell()
  const path = join(damaged.dataDir, 'fiskd.db')
  const database = new Database(path)
  database.pragma('wal_checkpoint(TRUNCATE)')
  const root = Number(database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").pluck().get())
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const bytes = readFileSync(path)
  bytes.fill(0x5a, (root - 1) * size, root * size)
  writeFileSync(path, bytes)

  const file = join(await tempDir(), 'b.db')
  const ran = await fisk(['backup', file], { socket: damaged.socketPath })
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the backup is not whole') })
  expect(existsSync(file)).toBe(false)
  expect(leftovers(damaged.dataDir)).toEqual([])
})

async function downloadAndGoAway({ socketPath }: Gateway = gateway): Promise<number> {
  const [answer] = await once(request({ socketPath, path: '/admin/backup' }).end(), 'response')
  answer.destroy()
  return answer.statusCode
}

/** Something that answers like the daemon, but with these bytes and headers. */
async function downloading(body: Buffer, headers: Record<string, string> = {}) {
  const { createServer } = await import('node:http')
  const socket = join(await tempDir(), 'fiskd.sock')
  const sha256 = createHash('sha256').update(body).digest('hex')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': body.length, 'x-sha256': sha256, 'x-invoices': '0', ...headers })
    response.write(body, () => (headers['content-length'] ? response.destroy() : response.end()))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return { socket, close: () => new Promise((resolve) => server.close(resolve)) }
}

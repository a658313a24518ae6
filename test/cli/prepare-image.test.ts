import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Invoice } from '../../src/fiscal/ports/model.ts'
import { openStore } from '../../src/store/store.ts'
import { enrolment } from '../support/enrolments.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, startEmptyGateway, startGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { FISKD } from '../support/programs.ts'
import { openShop } from '../support/shop.ts'
import { tempDir } from '../support/temp-dir.ts'

const prepare = async (dataDir: string, argv = ['--yes'], paths = {}) => {
  const env = { PATH: String(process.env.PATH), FISKD_DATA_DIR: dataDir }
  const { code, stdout, stderr } = await fisk(['prepare-image', ...argv], { fiskd: FISKD, env, paths })
  return { code, stdout, stderr: stderr.replace(/\s+/g, ' ') }
}

const CONFIRMED = { status: 'confirmed', jir: '00000000-0000-4000-8000-000000000001' } as const

/** A data directory as fiskd leaves it, with one sale and an enrolment where there is one. */
async function installation(sale: Partial<Invoice>, position?: number): Promise<string> {
  const dataDir = await tempDir()
  const store = await openStore(join(dataDir, 'fiskd.db'), 1)
  if (position !== undefined) {
    await store.enrolment.put(enrolment({ position }))
    while (!(await store.outbox.addOlder(500))) await Promise.resolve()
  }
  await (await openShop(store)).sold(sale)
  await store.close()
  writeFileSync(join(dataDir, 'vault.key'), Buffer.alloc(32))
  return dataDir
}

test('it refuses while fiskd runs, says what goes, wants --yes, and leaves a machine that starts as a new one', async () => {
  const gateway = await startGateway()
  const { dataDir } = gateway
  await gateway.sell()
  const running = await prepare(dataDir)
  expect(running).toMatchObject({ code: 1, stdout: '' })
  expect(running.stderr).toContain('stop it first')

  await gateway.stop()
  const before = readdirSync(dataDir).sort()
  const asked = await prepare(dataDir, [])
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  for (const name of ['fiskd.db', 'fiskd.db.made', 'tls', 'vault.key']) {
    expect(asked.stdout).toContain(`  ${dataDir}/${name}\n`)
  }
  expect(readdirSync(dataDir).sort()).toEqual(before)

  const ca = readFileSync(join(dataDir, 'tls/ca.pem'), 'utf8')
  const key = readFileSync(join(dataDir, 'vault.key'))
  const sealedVaultKey = join(await tempDir(), 'fiskd-vault-key')
  writeFileSync(sealedVaultKey, 'sealed')
  writeFileSync(join(dataDir, 'a-file-of-a-later-version.json'), '{}')
  const done = await prepare(dataDir, ['--yes'], { sealedVaultKey })
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toContain('/etc/machine-id')
  for (const line of done.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80 + dataDir.length)
  expect(readdirSync(dataDir).sort()).toEqual(['fiskd.lock', 'fiskd.pid', 'trust'])
  expect(existsSync(sealedVaultKey)).toBe(false)
  expect(await prepare(dataDir)).toMatchObject({ code: 0 })

  const anew = await startEmptyGateway({ FISKD_DATA_DIR: dataDir, FISKD_MACHINE_ID: 'another' })
  expect(readFileSync(join(dataDir, 'tls/ca.pem'), 'utf8')).not.toBe(ca)
  expect(readFileSync(join(dataDir, 'vault.key'))).not.toEqual(key)
  expect((await anew.admin<{ data: object[] }>('/v1/devices')).body.data).toEqual([])
  expect((await anew.admin<{ data: object[] }>('/admin/alerts?kind=machine_changed')).body.data).toEqual([])
  await addCompany(anew, OIBS[0])
  anew.deviceId = await anew.addDevice({ isu_number: '102' })
  anew.key = await anew.createKey()
  expect(await anew.sell()).toMatchObject({ number: '1', status: 'confirmed' })
})

test.each([
  ['a live sale', { ...CONFIRMED, mode: 'live' } as const, undefined, 'live sales (1)'],
  ['a sale without a JIR', { status: 'retrying', jir: null } as const, undefined, 'sales without a JIR (1)'],
  ['a sale that the server lacks', CONFIRMED, 0, 'sales that the central server does not have (1)'],
])('it removes nothing where the database holds %s', async (_, sale, position, why) => {
  const dataDir = await installation(sale, position)
  const before = readdirSync(dataDir).sort()
  const { code, stderr } = await prepare(dataDir)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`holds ${why}:`) })
  expect(readdirSync(dataDir).filter((name) => !/^fiskd\.(lock|pid)$/.test(name))).toEqual(before)
})

test('a test sale with a JIR that the server has goes with the rest', async () => {
  const dataDir = await installation(CONFIRMED, 1000)
  expect(await prepare(dataDir)).toMatchObject({ code: 0 })
  expect(existsSync(join(dataDir, 'fiskd.db'))).toBe(false)
})

test('a database that cannot be read, one that was set aside with sales, or one that is gone is refused', async () => {
  const broken = await installation(CONFIRMED)
  truncateSync(join(broken, 'fiskd.db'), 20_000)
  expect(await prepare(broken)).toMatchObject({ code: 1, stderr: expect.stringContaining('may hold sales: move it') })

  const aside = await installation(CONFIRMED)
  const old = join(await installation({ ...CONFIRMED, mode: 'live' }), 'fiskd.db')
  writeFileSync(join(aside, 'fiskd.db.replaced-2026-01-01T00-00-00Z'), readFileSync(old))
  expect(await prepare(aside)).toMatchObject({ code: 1, stderr: expect.stringContaining('holds live sales (1)') })

  const gone = await installation(CONFIRMED)
  rmSync(join(gone, 'fiskd.db'))
  expect(await prepare(gone)).toMatchObject({ code: 1, stderr: expect.stringContaining('is gone') })
  expect(existsSync(join(gone, 'vault.key'))).toBe(true)
})

test('after a power cut in the middle it goes on where it stopped', async () => {
  const dataDir = await installation(CONFIRMED)
  rmSync(join(dataDir, 'vault.key'))
  expect(await prepare(dataDir)).toMatchObject({ code: 0 })
  expect(readdirSync(dataDir).sort()).toEqual(['fiskd.lock', 'fiskd.pid'])
})

test('it keeps a record that knows live sales, or cannot be read, whatever the database has forgotten', async () => {
  const dataDir = await installation({ mode: 'test', ...CONFIRMED })
  const sale = { mode: 'live', premisesCode: 'POSL1', year: 2026, register: '', companyId: 'c', number: '1' }
  const text = JSON.stringify(sale)
  const head = JSON.stringify({ database: 'it' })
  const lines = [head, text].map((one) => `${crc32(one).toString(16)} ${one}\n`).join('')
  writeFileSync(join(dataDir, 'issued.log'), lines)
  expect((await prepare(dataDir)).stderr).toContain('issued.log knows live sales (1 or more)')
  writeFileSync(join(dataDir, 'issued.log'), 'no line\n')
  expect((await prepare(dataDir)).stderr).toContain('may know sales')
  expect(existsSync(join(dataDir, 'fiskd.db'))).toBe(true)
  rmSync(join(dataDir, 'issued.log'))
  expect(await prepare(dataDir)).toMatchObject({ code: 0 })
})

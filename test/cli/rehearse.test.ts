import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/daemon/version.ts'
import { NEWEST_SCHEMA } from '../../src/store/sqlite/migrate.ts'
import { fisk } from '../support/fisk.ts'
import { LATER_SCHEMA, laterRelease } from '../support/later-release.ts'
import { makeNewer } from '../support/newer-database.ts'
import { FISKD } from '../support/programs.ts'
import { SALES, soldDatabase } from '../support/sold-database.ts'
import { tempDir } from '../support/temp-dir.ts'

const on = (dataDir: string, fiskd = FISKD) => ({
  fiskd,
  env: { PATH: String(process.env.PATH), FISKD_DATA_DIR: dataDir },
})

test('a rehearsal says in words and as JSON what the upgrade would do, and ends with 0', async () => {
  const { dataDir, path } = await soldDatabase()
  const later = on(dataDir, await laterRelease())
  const told = await fisk(['rehearse'], later)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).toContain(`fiskd ${VERSION} can go on with this database.`)
  expect(told.stdout).toContain(`${NEWEST_SCHEMA} becomes ${LATER_SCHEMA}`)
  const { code, stdout } = await fisk(['rehearse', '--json'], later)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, migrates: true, data_dir: dataDir, database: path, kept: null })
})

test('a database that this version cannot take ends it with 1 and the reason', async () => {
  const { dataDir, path } = await soldDatabase()
  makeNewer(path)
  const { code, stdout } = await fisk(['rehearse'], on(dataDir))
  expect(code).toBe(1)
  expect(stdout).toContain(`fiskd ${VERSION} CANNOT go on with this database.`)
  expect(stdout.replace(/\s+/g, ' ')).toContain('belongs to fiskd 9.4.0')
  expect(stdout).not.toContain('becomes')
})

test('a backup that cannot be kept there is wrong use, and nothing is said about the database', async () => {
  const { dataDir, path } = await soldDatabase()
  const ran = await fisk(['rehearse', '--keep', path], on(dataDir))
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain(`${path} is there already: name another file`)
})

test('the backup that is kept belongs to the owner of the data, and can be restored', async () => {
  const { dataDir, path } = await soldDatabase()
  const place = await tempDir()
  if (process.getuid?.() === 0) {
    chmodSync(place, 0o755)
    for (const one of [dataDir, path, place]) chownSync(one, 47_110, 47_110)
  }
  const kept = join(place, 'kept.db')
  expect(await fisk(['rehearse', '--keep', kept], on(dataDir))).toMatchObject({ code: 0, stderr: '' })
  const { mode, uid } = statSync(kept)
  expect([mode & 0o777, uid]).toEqual([0o600, statSync(path).uid])

  const restored = join(await tempDir(), 'data')
  mkdirSync(restored)
  const argv = ['restore', kept, '--gap', '10', '--forget-keys', '--yes', '--json']
  const { code, stdout, stderr } = await fisk(argv, on(restored))
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ invoices: SALES })
})

test('a vault key that cannot be unsealed keeps nobody from rehearsing', async () => {
  const { dataDir } = await soldDatabase()
  const run = await tempDir()
  const sealedVaultKey = join(run, 'sealed')
  writeFileSync(sealedVaultKey, 'nobody can open this')
  const ran = await fisk(['rehearse'], { ...on(dataDir), paths: { sealedVaultKey, run } })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
})

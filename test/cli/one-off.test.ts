import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { atTheEndOfFile } from '../support/file-end.ts'
import { fisk } from '../support/fisk.ts'
import { startSharedGateway } from '../support/gateway.ts'
import { FISKD } from '../support/programs.ts'
import { makeTempDir, tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

/** Some account that is not root; it needs no name. */
const OTHER = 47_110
const isRoot = process.getuid?.() === 0
const env = { PATH: String(process.env.PATH) }

/** A data directory of the other account, in a folder that it may enter. */
async function itsDataDir(): Promise<string> {
  const dir = await tempDir()
  chmodSync(dir, 0o755)
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir, { mode: 0o750 })
  chownSync(dataDir, OTHER, OTHER)
  return dataDir
}

const ownersIn = (dataDir: string) => {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
  return new Set(names.map((name) => statSync(join(dataDir, name)).uid))
}

/** A backup that only root may read, of a database whose vault key is nowhere. */
let backup: string
beforeAll(async () => {
  const dir = await makeTempDir(atTheEndOfFile)
  const gateway = await startSharedGateway()
  await gateway.sell()
  backup = join(dir, 'backup.db')
  await fisk(['backup', backup], { socket: gateway.socketPath })
  chmodSync(backup, 0o600)
  await gateway.stop()
})

test.skipIf(!isRoot)('what root has fiskd prepare belongs to the account that owns the data', async () => {
  const dataDir = await itsDataDir()
  const envFile = join(await tempDir(), 'fiskd.env')
  writeFileSync(envFile, `FISKD_DATA_DIR="${dataDir}"\n`)
  const ran = await fisk(['init', '--json'], {
    fiskd: FISKD,
    env: { ...env, FISKD_ENV_FILE: envFile, FISKD_SOCKET: join(dataDir, 'none') },
  })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({ data_dir: dataDir })
  expect(readdirSync(dataDir)).toContain('fiskd.db')
  expect(ownersIn(dataDir)).toEqual(new Set([OTHER]))
})

test.skipIf(!isRoot)(
  'root restores a file that only root may read, and everything belongs to the owner of the data',
  async () => {
    const dataDir = await itsDataDir()
    const argv = ['restore', backup, '--gap', '10', '--forget-keys', '--yes', '--json']
    const ran = await fisk(argv, { fiskd: FISKD, env: { ...env, FISKD_DATA_DIR: dataDir } })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject({ file: backup, invoices: 1 })
    expect(ownersIn(dataDir)).toEqual(new Set([OTHER]))

    const missing = await fisk(['restore', '/no/such.db', '--gap', '1', '--yes'], {
      fiskd: FISKD,
      env: { ...env, FISKD_DATA_DIR: dataDir },
    })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('There is no file /no/such.db.')
  },
)

test.skipIf(!isRoot)(
  'what root has fiskd itself prepare and restore belongs to the owner of the data, too',
  async () => {
    const dataDir = await itsDataDir()
    for (const args of [['--prepare'], ['--restore', backup, '--gap', '10', '--forget-keys']]) {
      const { status, stderr } = spawnSync(process.execPath, [FISKD, ...args], {
        env: { ...env, FISKD_DATA_DIR: dataDir },
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, ''])
      expect(ownersIn(dataDir)).toEqual(new Set([OTHER]))
    }
  },
)

test.skipIf(!isRoot || skipWithout('systemd-creds'))(
  'the sealed vault key is lent to the account that owns the data, and nothing of it is left',
  async () => {
    const dataDir = await itsDataDir()
    const dir = await tempDir()
    chmodSync(dir, 0o755)
    const run = join(dir, 'run')
    mkdirSync(run)
    const secret = { ...env, SYSTEMD_CREDENTIAL_SECRET: join(dir, 'secret') }
    const sealedVaultKey = join(dir, 'sealed')
    const sealing = ['encrypt', '--with-key=host', '--name=fiskd-vault-key', '-', sealedVaultKey]
    const sealed = spawnSync('systemd-creds', sealing, { input: Buffer.alloc(32, 7), env: secret })
    expect(sealed.status).toBe(0)
    const around = {
      fiskd: FISKD,
      env: { ...secret, FISKD_DATA_DIR: dataDir, FISKD_SOCKET: join(dataDir, 'none') },
      paths: { sealedVaultKey, run },
    }
    const ran = await fisk(['init', '--json'], around)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout).vault_key).toMatch(/fiskd-key-\w+\/fiskd-vault-key$/)
    expect(existsSync(join(dataDir, 'vault.key'))).toBe(false)
    expect(readdirSync(run)).toEqual([])

    writeFileSync(sealedVaultKey, 'something else')
    const broken = await fisk(['init'], around)
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain('cannot be unsealed')
    expect(readdirSync(run)).toEqual([])
  },
)

import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { ownFiles } from '../../../src/daemon/host/own-files.ts'
import { permissionChecks } from '../../../src/fiscal/doctor/own-files-checks.ts'
import { breakableGateway } from '../../support/breakable-gateway.ts'

const { gateway, whole, alone } = breakableGateway(({ dataDir }) =>
  permissionChecks(ownFiles(readConfig({ FISKD_DATA_DIR: dataDir }))),
)

describe('permissions', () => {
  test.each([
    ['', 0o755, 0o700, 'is open to other users (mode 0755)', '750'],
    ['', 0o770, 0o700, 'is open to its group (mode 0770)', '750'],
    ['vault.key', 0o640, 0o600, 'vault.key is open to its group (mode 0640)', '600'],
    ['tls/ca.key', 0o604, 0o600, 'ca.key is open to other users (mode 0604)', '600'],
    ['tls/server.key', 0o644, 0o600, 'server.key is open to other users (mode 0644)', '600'],
    ['fiskd.db', 0o660, 0o640, 'fiskd.db is open to its group (mode 0660)', 'go-w'],
    ['fiskd.lock', 0o646, 0o640, 'fiskd.lock is open to other users (mode 0646)', 'go-w'],
    ['trust/test.pem', 0o666, 0o640, 'test.pem is open to other users (mode 0666)', 'go-w'],
    ['fiskd.sock', 0o666, 0o660, 'fiskd.sock is open to other users (mode 0666)', '660'],
  ])('%s with mode %o is found and mended', async (file, mode, usual, problem, fix) => {
    const path = join(gateway().dataDir, file).replace(/\/$/, '')
    const found = await alone.broken(
      () => chmodSync(path, mode),
      () => chmodSync(path, usual),
    )
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail', fix: `sudo chmod ${fix} ${path}` }])
    expect(found[0]?.detail).toContain(problem)
  })

  test.runIf(process.getuid?.() === 0)('a file of another user is found and given back', async () => {
    const path = join(gateway().dataDir, 'vault.key')
    const found = await alone.broken(
      () => chownSync(path, 1, 1),
      () => chownSync(path, 0, 0),
    )
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail', fix: `sudo chown root: ${path}` }])
    expect(found[0]?.detail).toContain('belongs to user daemon, not to root')
  })

  test('of many wrong files the first are named and the rest counted', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => join(gateway().dataDir, name))
    const make = () => paths.map((path) => [writeFileSync(path, ''), chmodSync(path, 0o666)])
    const found = await whole.broken(make, () => paths.map((path) => rmSync(path)))
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail' }])
    expect(found[0]?.detail).toMatch(/and 2 more$/)
    expect(found[0]?.fix).toBe(`sudo chmod go-w ${paths.slice(0, 3).join(' && sudo chmod go-w ')}`)
  })
})

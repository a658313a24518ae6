import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breakableGateway } from '../../support/breakable-gateway.ts'

const { gateway, whole } = breakableGateway()

describe('files in place', () => {
  test.each([
    ['fiskd.db', 'restore that: fisk restore FILE'],
    ['fiskd.db-wal', 'restore that: fisk restore FILE'],
    ['fiskd.lock', 'take a new lock: systemctl restart fiskd'],
  ])('%s that is moved away under the running daemon is found', async (file, fix) => {
    const path = join(gateway().dataDir, file)
    const back = () => renameSync(`${path}.moved`, path)
    const found = await whole.broken(() => renameSync(path, `${path}.moved`), back)
    // With the name of the database away, other checks read another one or none.
    const own = found.filter(({ name }) => name === 'files in place')
    expect(own).toMatchObject([{ status: 'fail', fix: expect.stringContaining(fix) }])
    expect(own[0]?.detail).toContain(`${path} was removed`)
    if (file === 'fiskd.lock') expect(found).toEqual(own)
  })

  test('a copy put in the place of the lock is not the lock', async () => {
    const path = join(gateway().dataDir, 'fiskd.lock')
    const replace = () => [renameSync(path, `${path}.moved`), writeFileSync(path, '')]
    const found = await whole.broken(replace, () => renameSync(`${path}.moved`, path))
    expect(found).toMatchObject([{ name: 'files in place', status: 'fail' }])
  })
})

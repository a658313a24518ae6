import { describe, expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { startGateway } from '../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../support/postgres.ts'
import { FISKD } from '../support/programs.ts'

const on = (dataDir: string) => ({ fiskd: FISKD, env: { PATH: String(process.env.PATH), FISKD_DATA_DIR: dataDir } })

test('an address that is none is wrong use, and its password is not shown', async () => {
  const ran = await fisk(['migrate-store', 'postgres://fiskd:secret@', '--yes'], on('/nowhere/data'))
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('postgres://USER:PASSWORD@HOST/DATABASE')
  expect(ran.stderr).not.toContain('secret')
})

describe.skipIf(skipWithoutPostgres)('fisk migrate-store', () => {
  test('refuses while fiskd runs, moves when it is stopped, and says what comes next', async () => {
    const gateway = await startGateway({ FISKD_ROLE: 'server' })
    await gateway.sell()
    const url = await postgresDatabase({ empty: true })
    const argv = ['migrate-store', url, '--yes']
    const running = await fisk(argv, on(gateway.dataDir))
    expect(running.code).toBe(1)
    expect(running.stderr.replace(/\s+/g, ' ')).toContain('stop it first')

    await gateway.stop()
    const { code, stdout, stderr } = await fisk(argv, on(gateway.dataDir))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^sales +1$/m)
    expect(stdout).toContain('FISKD_ROLE=server\n  FISKD_DATABASE_URL=')
    for (const line of stdout.split('\n').slice(3)) expect(line.length).toBeLessThanOrEqual(80)
    expect(await query(url, 'SELECT number FROM invoices')).toEqual([{ number: '1' }])

    const again = await fisk(argv, on(gateway.dataDir))
    expect(again.code).toBe(1)
    expect(again.stderr.replace(/\s+/g, ' ')).toContain('was moved before')
  })
})

import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { servingProcessChecks } from '../../../src/fiscal/doctor/process-checks.ts'
import { call } from '../../support/call.ts'
import { diagnose, inEnglish } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { startEmptyGateway } from '../../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 6, 21, 12)
const serving = (id: number, version: string, minutesAgo: number) => ({
  ...{ id, host: 'office', pid: 4000 + id, version },
  startedAt: NOW - minutesAgo * MINUTE_MS,
})

async function found(processes: ReturnType<typeof serving>[], wanted: number | null = null) {
  const store = { processes: { list: async () => processes } }
  const checks = servingProcessChecks({ store, clock: { now: () => NOW }, wanted })
  return inEnglish((await Promise.all(checks.map(({ run }) => run()))).flat())
}

test('processes: all of them are there, and of one version', async () => {
  expect(await found([serving(1, '1.0.0', 100), serving(2, '1.0.0', 90)], 2)).toEqual([
    { name: 'processes', status: 'ok', detail: '2 serve the database: 1.0.0', fix: null },
  ])
})

test('processes: SQLite has one, about which there is nothing to say', async () => {
  expect(await found([], 2)).toEqual([])
})

test('processes: one that is missing is a warning', async () => {
  const [check] = await found([serving(1, '1.0.0', 100), serving(3, '1.0.0', 90)], 3)
  expect(check).toMatchObject({ status: 'warn', detail: '2 of 3 processes serve the database, on office' })
  expect(check?.fix).toContain('sudo systemctl start fiskd@N')
})

test('processes: two versions are an upgrade under way, and a warning after half an hour', async () => {
  const upgrading = await found([serving(1, '1.0.0', 900), serving(2, '1.1.0', 29)])
  expect(upgrading).toMatchObject([
    { status: 'ok', detail: '2 serve the database: 1.0.0 and 1.1.0, an upgrade is under way' },
  ])
  const [forgotten] = await found([serving(1, '1.0.0', 900), serving(2, '1.1.0', 30)])
  expect(forgotten).toMatchObject({ status: 'warn', detail: expect.stringContaining('4001 on office runs 1.0.0') })
  expect(forgotten?.fix).toContain('install 1.1.0')
})

test.skipIf(skipWithoutPostgres)(
  'status and doctor of one process tell about all processes of its database',
  async () => {
    const url = await postgresDatabase({ empty: true })
    const server = await startEmptyGateway({
      FISKD_ROLE: 'server',
      FISKD_DATABASE_URL: url,
      FISKD_PROCESSES: '9',
    })
    const here = [hostname(), process.pid]
    const known = await query(url, 'SELECT id FROM processes WHERE host = $1 AND pid = $2', here)
    const insert = `INSERT INTO processes (instance, host, pid, version, started_at) VALUES ($1, $2, $3, $4, $5)`
    if (known.length === 0) await query(url, insert, ['one', ...here, '1.0.0', Date.now()])
    await query(url, insert, ['other', 'office-2', 4711, '0.9.9', Date.now() - 60_000])

    const { body } = await call<{ processes: object[] }>({ socketPath: server.socketPath }, { path: '/admin/status' })
    expect(body.processes).toHaveLength(2)
    expect(body.processes).toContainEqual(expect.objectContaining({ host: here[0], pid: here[1], this_one: true }))
    expect(body.processes).toContainEqual(
      expect.objectContaining({ host: 'office-2', pid: 4711, version: '0.9.9', this_one: false }),
    )
    const { stdout } = await fisk(['status'], { socket: server.socketPath })
    expect(stdout).toMatch(/^Processes +2, an upgrade is under way: /m)
    expect(stdout).toMatch(/office-2, process 4711: 0\.9\.9, since /)
    expect(stdout).toMatch(new RegExp(`process ${process.pid} \\(this one\\): `))
    const checks = (await diagnose(server)).filter(({ name }) => name === 'processes')
    expect(checks).toMatchObject([{ status: 'warn', detail: expect.stringContaining('2 of 9 processes') }])
  },
)

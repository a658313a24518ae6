import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { ISSUED } from '../../../src/daemon/lifecycle/issued-file.ts'
import { startEnrolled, told } from '../../support/central-server.ts'
import { fisk } from '../../support/fisk.ts'
import type { Gateway } from '../../support/gateway.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** What the server last heard of how the gateway is. */
function reported({ database }: Gateway, { waiting, minutesAgo }: { waiting: number; minutesAgo: number }): void {
  const db = new Database(database)
  const heartbeat = JSON.stringify({ outbox: { waiting, refused: 0 } })
  db.prepare('UPDATE gateways SET heartbeat = ?, reported_at = ?').run(heartbeat, Date.now() - minutesAgo * 60_000)
  db.close()
}

/** A gateway that has sold three times since its backup and has lost its database. */
async function lost() {
  const { gateway, ...central } = await startEnrolled()
  await gateway.sell()
  await told(gateway)
  const file = join(await tempDir(), 'backup.db')
  expect((await fisk(['backup', file], { socket: gateway.socketPath })).code).toBe(0)
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  await told(gateway)
  await gateway.stop()
  reported(central.server, { waiting: 0, minutesAgo: 1 })
  for (const suffix of ['', '-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
  return { gateway, file, ...central }
}

const run = ({ dataDir }: Gateway, ...args: string[]) =>
  restore(readConfig({ FISKD_DATA_DIR: dataDir }), readRestoreOrder(args), Date.now())

test('a restore that asks the server goes on above what the server has seen', async () => {
  const { gateway, file, link } = await lost()
  const restored = await run(gateway, file, '--ask-server')
  expect(restored.server).toEqual({
    ...{ url: link.url, sequences: 1, waiting: 0 },
    reported_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(restored.sequences.find(({ to }) => to !== null)).toMatchObject({
    ...{ premises_code: 'POSL1', highest: '1', from: '2', to: '4', used_to: '4', why: 'stated' },
  })
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('5')
  expect((await told(gateway)).sync).toMatchObject({ state: 'connected', refused: 0 })
})

test('with a gap as well the gap goes on top of that', async () => {
  const { gateway, file } = await lost()
  await run(gateway, file, '--ask-server', '--gap', '100')
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('105')
})

test('a server that was restored says what it holds of its gateways, and not that it is empty', async () => {
  const { gateway, server } = await startEnrolled()
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  await told(gateway)
  const file = join(await tempDir(), 'backup.db')
  expect((await fisk(['backup', file], { socket: server.socketPath })).code).toBe(0)
  await server.stop()
  const env = { FISKD_DATA_DIR: await tempDir(), FISKD_ROLE: 'server' }
  copyFileSync(join(server.dataDir, 'vault.key'), join(env.FISKD_DATA_DIR, 'vault.key'))
  const { code, stdout, stderr } = await fisk(['restore', file, '--yes'], { env, fiskd: FISKD })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^sales +0$/m)
  expect(stdout).toMatch(/^of gateways +3 sales of 1 gateways, the newest \d\d\.\d\d\.\d{4}/m)
  expect(stdout).not.toContain('Receipt numbers:')
})

test.each([
  ['changes waited when it last heard', { waiting: 2, minutesAgo: 1 }, '2 changes waited'],
  ['it has not heard for some time', { waiting: 0, minutesAgo: 20 }, '20 minutes ago'],
])('the word of a server is not the whole truth where %s', async (_name, last, why) => {
  const { gateway, file, server } = await lost()
  reported(server, last)
  for (let time = 0; time < 2; time++) await expect(run(gateway, file, '--ask-server')).rejects.toThrow(why)
  await expect(run(gateway, file, '--ask-server')).rejects.toThrow(/--gap 1000.*POSL1@\d+=NUMBER {3}\(.* seen 4\)/s)
  const restored = await run(gateway, file, '--ask-server', '--gap', '100')
  expect(restored.server).toMatchObject({ waiting: last.waiting })
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('105')
})

test('the word of a server is not the whole truth where a new card has nothing left of what sold last', async () => {
  const { gateway, file } = await lost()
  rmSync(join(gateway.dataDir, ISSUED))
  await expect(run(gateway, file, '--ask-server')).rejects.toThrow(
    /neither its last database nor issued.log.*--gap 1000/s,
  )
  await run(gateway, file, '--ask-server', '--gap', '100')
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('105')
})

test('a server with a number of twenty nines is asked in vain: the restore goes on with what somebody states', async () => {
  const { gateway, file, server } = await lost()
  const db = new Database(server.database)
  db.prepare('UPDATE sequences SET highest = ?').run('9'.repeat(20))
  db.close()
  await expect(run(gateway, file, '--ask-server')).rejects.toThrow(/far above the backup: say the numbers/)
  await run(gateway, file, '--highest', 'POSL1=4')
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('5')
})

test('who says the highest number needs no gap', async () => {
  const { gateway, file, server } = await lost()
  reported(server, { waiting: 7, minutesAgo: 90 })
  await run(gateway, file, '--ask-server', '--highest', 'POSL1=9')
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('10')
})

test('what the server does not know has to be stated all the same, and what is stated counts more', async () => {
  const { gateway, file, server } = await lost()
  await expect(run(gateway, file)).rejects.toThrow('--highest')
  await expect(run(gateway, file, '--ask-server', '--highest', 'POSL1=2')).rejects.toThrow('too low')
  await server.stop()
  await expect(run(gateway, file, '--ask-server')).rejects.toThrow(/could not be asked.*nobody listens|cut/s)
  rmSync(join(gateway.dataDir, 'vault.key'))
  await expect(run(gateway, file, '--ask-server')).rejects.toThrow('vault key')
})

test('a backup that is enrolled nowhere says so, and nothing is changed', async () => {
  const { gateway, file } = await lost()
  await run(gateway, file, '--ask-server')
  await gateway.restart()
  await gateway.admin('/admin/sync/leave', { method: 'POST' })
  const alone = join(await tempDir(), 'alone.db')
  expect((await fisk(['backup', alone], { socket: gateway.socketPath })).code).toBe(0)
  await gateway.stop()
  await expect(run(gateway, alone, '--ask-server')).rejects.toThrow('no central server')
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('5')
})

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** The same card in another machine, while the first one is off. */
async function copyOf(gateway: Gateway, env: Record<string, string>): Promise<Gateway> {
  const dataDir = await tempDir()
  cpSync(gateway.dataDir, dataDir, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  const { deviceId, key } = gateway
  return Object.assign(await startEmptyGateway({ FISKD_DATA_DIR: dataDir, ...env }), { deviceId, key })
}

const alertsOf = async (gateway: Gateway) => {
  await gateway.watch()
  const { body } = await gateway.admin<{ data: object[] }>('/admin/alerts?state=open&kind=machine_changed')
  return body.data
}

const checkOf = async (gateway: Gateway) => (await diagnose(gateway)).find(({ name }) => name === 'machine')

test('machine: a card that was copied for a second one sells there, raises an urgent alert, and ends it when accepted', async () => {
  const first = await startGateway({ FISKD_MACHINE_ID: 'board-A' })
  await first.sell()
  await first.stop()
  const copy = await copyOf(first, { FISKD_MACHINE_ID: 'board-B' })
  expect(await copy.sell()).toMatchObject({ number: '2', status: 'confirmed' })
  const detail = { before: 'board-A', now: 'board-B' }
  expect(await alertsOf(copy)).toMatchObject([{ severity: 'urgent', state: 'open', detail }])
  const found = await checkOf(copy)
  expect(found).toMatchObject({ status: 'fail', detail: 'the database was on board-A before, and this is board-B' })
  expect(found?.fix).toMatch(/fisk replace.*sudo fisk machine accept/)
  const status = await fisk(['status'], { socket: copy.socketPath })
  expect({ code: status.code, said: status.stdout.replace(/\s+/g, ' ') }).toMatchObject({
    code: 0,
    said: expect.stringContaining('Machine NOT the one before: it was board-A, and is board-B'),
  })
  await copy.restart()
  expect(await alertsOf(copy)).toHaveLength(1)

  const accepted = await fisk(['machine', 'accept', '--yes', '--json'], { socket: copy.socketPath })
  expect(JSON.parse(accepted.stdout)).toEqual({ accepted: detail })
  expect(await alertsOf(copy)).toEqual([])
  expect(await checkOf(copy)).toMatchObject({ status: 'ok' })
  await copy.restart()
  expect(await alertsOf(copy)).toEqual([])
  const again = await fisk(['machine', 'accept', '--yes'], { socket: copy.socketPath })
  expect(again).toMatchObject({ code: 0, stdout: 'There is nothing to accept.\n' })
  const audited = await copy.admin<{ data: { action: string }[] }>('/admin/audit')
  expect(audited.body.data.filter(({ action }) => action === 'machine.accepted')).toMatchObject([{ detail }])
})

test('a start on the same board raises nothing, and a card that goes back to its board ends the alert', async () => {
  const first = await startGateway()
  await first.restart()
  expect(await alertsOf(first)).toEqual([])
  expect(await checkOf(first)).toMatchObject({ status: 'ok', detail: 'it is the one that the database was on before' })
  await first.stop()
  // The board is the same: the operator only names it from now on.
  const copy = await copyOf(first, { FISKD_MACHINE_ID: 'board-B' })
  expect(await alertsOf(copy)).toEqual([])
  await copy.stop()
  const back = await copyOf(copy, { FISKD_MACHINE_ID: 'board-C' })
  expect(await alertsOf(back)).toHaveLength(1)
  await back.stop()
  const home = await startEmptyGateway({ FISKD_DATA_DIR: back.dataDir, FISKD_MACHINE_ID: 'board-B' })
  expect(await alertsOf(home)).toEqual([])
})

test('in a container the machine is not compared, and what was kept of it stays', async () => {
  const first = await startGateway()
  first.machine.env = { container: 'podman' }
  first.machine.root = await tempDir()
  await first.restart()
  expect(await alertsOf(first)).toEqual([])
  expect(await checkOf(first)).toBeUndefined()
  await first.stop()
  const outside = await copyOf(first, {})
  expect(await checkOf(outside)).toMatchObject({
    status: 'ok',
    detail: 'it is the one that the database was on before',
  })
})

test('a backup that is restored on another machine belongs there from now on', async () => {
  const first = await startGateway({ FISKD_MACHINE_ID: 'board-A' })
  await first.sell()
  await first.stop()
  const backup = join(await tempDir(), 'backup.db')
  cpSync(join(first.dataDir, 'fiskd.db'), backup)
  const order = readRestoreOrder(['--gap', '10', '--', backup])
  await restore(readConfig({ FISKD_DATA_DIR: first.dataDir }), order, Date.now())
  expect(await alertsOf(await copyOf(first, { FISKD_MACHINE_ID: 'board-B' }))).toEqual([])
})

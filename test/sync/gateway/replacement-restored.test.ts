import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { type Central, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { inDatabase } from '../../support/database.ts'
import { fisk } from '../../support/fisk.ts'
import type { Gateway } from '../../support/gateway.ts'
import { certificateFlags, giveKey, runReplace, startFreshCard } from '../../support/replacing.ts'
import { tamper } from '../../support/tamper.ts'
import { tempDir } from '../../support/temp-dir.ts'

const restoreOf = ({ dataDir }: Gateway, ...args: string[]) =>
  restore(readConfig({ FISKD_DATA_DIR: dataDir }), readRestoreOrder(args), Date.now())

/** A gateway whose first sale the server knows, restored from a backup with the gap that `fisk restore` advises. */
async function startRestored() {
  const central = await startEnrolled()
  const { gateway, link } = central
  await gateway.sell()
  await told(gateway)
  const file = join(await tempDir(), 'backup.db')
  expect((await fisk(['backup', file], { socket: gateway.socketPath })).code).toBe(0)
  await gateway.stop()
  await restoreOf(gateway, file, '--gap', '1000')
  link.goDown()
  await gateway.restart()
  return { ...central, file }
}

async function replaced({ gateway, link, token }: Central & { gateway: Gateway }, ...args: string[]) {
  await gateway.stop()
  link.comeBack()
  const fresh = await startFreshCard(gateway)
  const place = [link.url, await token('kiosk', { again: true })]
  return { fresh, ...(await runReplace(fresh, [...place, ...args, ...(await certificateFlags())])) }
}

const highestAt = async ({ server }: Central) => {
  const [row] = await inDatabase(server, "SELECT highest FROM sequences WHERE mode = 'test' AND register = ''")
  return row?.highest
}

/** Starts a machine until the server has what it says of itself. */
async function reported({ server }: Central, machine: Gateway) {
  // The first heartbeat is noted at once, and later ones only some time after another word.
  await inDatabase(server, 'UPDATE gateways SET heartbeat = NULL')
  await machine.restart()
  const heartbeat = async () =>
    (await server.admin<{ heartbeat: object | null }>('/admin/gateways/kiosk')).body.heartbeat
  await expect.poll(heartbeat).not.toBeNull()
  return heartbeat()
}

test('a replacement gives out no number of a restored card that sold while the server was away', async () => {
  const central = await startRestored()
  const sold = [await central.gateway.sell(), await central.gateway.sell()].map(({ number }) => number)
  expect(sold).toEqual(['1002', '1003'])

  const { fresh, result } = await replaced(central)
  expect(result.numbers).toMatchObject([{ seen: '1', after: '11001', why: 'gap' }])
  giveKey(fresh, result)
  expect((await fresh.sell()).number).toBe('11002')
})

test('a restored card tells the server what it skipped before anything else, and a server that forgot it once more', async () => {
  const central = await startRestored()
  expect(await highestAt(central)).toBe('1')
  central.link.comeBack()
  await expect.poll(() => highestAt(central)).toBe('1001')

  await told(central.gateway)
  await central.server.stop()
  tamper(central.server.database, "UPDATE sequences SET highest = '1' WHERE mode = 'test'")
  await central.server.restart()
  await central.gateway.restart()
  await expect.poll(() => highestAt(central)).toBe('1001')
})

test('where the server heard of a restore, a replacement needs the number on paper, and says so with the command', async () => {
  const central = await startRestored()
  central.link.comeBack()
  expect(await reported(central, central.gateway)).toMatchObject({ restored_at: expect.any(Number) })
  const { code, result, fresh } = await replaced(central)
  expect(code).toBe(1)
  expect(result.error?.message).toMatch(
    /restored from a backup .*: sudo fisk replace --highest \d{11}\/POSL1@\d{4}=NUMBER \(the server has seen 1001/,
  )
  expect(result.error?.message).toContain('fisk replace --gap 11000')
  expect((await syncOf(fresh)).enrolled).toBe(true)

  const told = await runReplace(fresh, ['--highest', 'POSL1=1003', ...(await certificateFlags())])
  expect(told.result.numbers).toContainEqual(
    expect.objectContaining({ mode: 'test', seen: '1001', after: '1003', why: 'stated' }),
  )
})

test('the server knows of the restore of a machine also where the card that was to replace it broke before it did', async () => {
  const central = await startRestored()
  central.link.comeBack()
  await reported(central, central.gateway)
  const first = await replaced(central)
  expect(first.code).toBe(1)
  const last_seen_at = expect.any(Number)
  expect(await reported(central, first.fresh)).toMatchObject({ replaces: { last_seen_at, restored_at: last_seen_at } })

  const second = await replaced({ ...central, gateway: first.fresh })
  expect(second.code).toBe(1)
  expect(second.result.error?.message).toContain('restored from a backup')
})

test('restores skip no more than a replacement does, unless the server was told', async () => {
  const central = await startRestored()
  const { gateway, link, file } = central
  await gateway.stop()
  await expect(restoreOf(gateway, file, '--gap', '9000')).rejects.toThrow(
    'and 1000 numbers that earlier restores skipped',
  )
  await restoreOf(gateway, file, '--gap', '8000')
  await expect(restoreOf(gateway, file, '--gap', '1')).rejects.toThrow('from paper: --highest')
  await restoreOf(gateway, file, '--highest', 'POSL1=9003')
  link.comeBack()
  await gateway.restart()
  await expect.poll(() => highestAt(central)).toBe('9003')
  const untold = () => inDatabase(gateway, "SELECT CAST(value AS TEXT) AS value FROM meta WHERE key = 'skipped_untold'")
  await expect.poll(untold).toEqual([{ value: '0' }])
  await gateway.stop()
  await expect(restoreOf(gateway, file, '--gap', '9000')).resolves.toBeDefined()
})

import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEnrolled, told } from '../../support/central-server.ts'
import { diagnose } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'

interface LostAlert {
  id: string
  severity: string
  detail: { changes: number; count: number; premises?: string; first?: string; last?: string }
}

/**
 * A gateway that has sold five receipts, all told to its server, and whose card has kept two of them.
 * @param files what the card has put back, in the data directory
 */
async function startOnLyingCard(files = ['fiskd.db']) {
  const enrolled = await startEnrolled()
  const { gateway } = enrolled
  for (let i = 0; i < 2; i++) await gateway.sell()
  await told(gateway)
  await gateway.stop()
  for (const file of files) await copyFile(join(gateway.dataDir, file), join(gateway.dataDir, `${file}.kept`))
  await gateway.restart()
  for (let i = 0; i < 3; i++) await gateway.sell()
  await told(gateway)
  await gateway.stop()
  for (const file of files) await copyFile(join(gateway.dataDir, `${file}.kept`), join(gateway.dataDir, file))
  for (const part of ['-wal', '-shm']) await rm(gateway.database + part, { force: true })
  return enrolled
}

async function lost(gateway: Gateway): Promise<LostAlert[]> {
  return (await gateway.admin<{ data: LostAlert[] }>('/admin/alerts?state=open&kind=records_lost')).body.data
}

async function check(gateway: Gateway) {
  return (await diagnose(gateway)).find(({ name }) => name === 'records the central server has')
}

test('a card that lost what it had confirmed gives out no number again that the server knows', async () => {
  const { gateway, server, link } = await startOnLyingCard()
  // The first sale comes before the line is there.
  link.goDown()
  await gateway.restart()
  const first = gateway.sell()
  await setTimeout(500)
  link.comeBack()
  expect((await first).number).toBe('6')

  const [alert, ...others] = await lost(gateway)
  expect(others).toEqual([])
  expect(alert).toMatchObject({ severity: 'urgent', detail: { count: 0 } })
  expect(await check(gateway)).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('has lost some of them'),
  })
  await told(gateway)
  const atServer = await server.admin<{ data: unknown[] }>('/admin/alerts?kind=records_lost')
  expect(atServer.body.data).toMatchObject([{ id: alert?.id }])

  await gateway.watch()
  expect(await lost(gateway)).toHaveLength(1)
  await gateway.admin(`/admin/alerts/${alert?.id}/acknowledge`, { method: 'POST' })
  expect(await check(gateway)).toMatchObject({ status: 'ok' })
})

test('numbers that were given out twice before the server could be asked are named as soon as it answers', async () => {
  // The record of issued sales went back with the database.
  const { gateway, link } = await startOnLyingCard(['fiskd.db', 'issued.log'])
  link.goDown()
  await gateway.restart()
  const began = performance.now()
  expect((await gateway.sell()).number).toBe('3')
  expect(performance.now() - began).toBeLessThan(8000)
  expect((await gateway.sell()).number).toBe('4')
  expect(await lost(gateway)).toEqual([])

  link.comeBack()
  await expect
    .poll(() => lost(gateway))
    .toMatchObject([{ detail: { count: 1, premises: 'POSL1', first: '3', last: '4' } }])
  expect((await check(gateway))?.detail).toContain('numbers given out twice at POSL1: 3 to 4')
  expect((await gateway.sell()).number).toBe('6')
  // The server keeps what it had first, and says so of the others.
  const refused = (await told(gateway)).refusals.filter(({ kind }) => kind === 'invoice')
  expect(refused.map(({ code }) => code)).toEqual(['already_taken', 'already_taken'])
})

test('a restart without any loss raises nothing, and its first sale does not wait for a server that is reached', async () => {
  const { gateway } = await startEnrolled()
  await gateway.sell()
  await told(gateway)
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('2')
  await told(gateway)
  expect(await lost(gateway)).toEqual([])
  expect(await check(gateway)).toMatchObject({ status: 'ok' })
})

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDiskWatch } from '../../../src/daemon/lifecycle/disk-watch.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { openStore } from '../../../src/store/store.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { mayMount, mountExt4, mountTmpfs, type SmallDisk } from '../../support/small-disk.ts'

const MB = 1_000_000

async function gatewayOn<T extends SmallDisk>(disk: T, floorMb: number): Promise<{ gateway: Gateway; disk: T }> {
  onTestFinished(() => disk.close())
  const env = { FISKD_DATA_DIR: disk.path, FISKD_DISK_FLOOR_MB: String(floorMb) }
  return { gateway: await startGateway(env), disk }
}

test('a disk that is nearly full gets no ordinary log lines, but is told that it is full', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const lookAtDisk = createDiskWatch(tmpdir(), Number.MAX_SAFE_INTEGER, log)
  expect((await lookAtDisk()).room).toBe('no_sales')
  log.info('a request')
  log.child({ reqId: 'r1' }).info('another one')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, room: 'no_sales' }])
})

/** The daemon looks at its disk four times a second at most. */
const untilItLooksAgain = () => setTimeout(300)

describe.skipIf(!mayMount())('a disk that fills up', () => {
  test('loses ordinary log lines first, archived XML next and sales last, and all of them come back', async () => {
    const { gateway, disk } = await gatewayOn(mountTmpfs(48), 20)
    const first = await gateway.sell()
    const health = async () => {
      await untilItLooksAgain()
      const { status, body } = await gateway.v1('/health')
      return [status, (body as unknown as { checks: { disk: { status: string } } }).checks.disk.status]
    }
    expect(await health()).toEqual([200, 'ok'])

    disk.leave(15 * MB)
    expect(await health()).toEqual([200, 'degraded'])
    expect((await gateway.invoice((await gateway.sell()).id)).messages[0]?.request_xml).toContain('<tns:Racun>')

    disk.leave(8 * MB)
    expect(await health()).toEqual([200, 'degraded'])
    const unarchived = await gateway.sell()
    expect(unarchived.status).toBe('confirmed')
    expect((await gateway.invoice(unarchived.id)).messages).toMatchObject([{ request_xml: null, response_xml: null }])

    disk.leave(1.5 * MB)
    expect(await health()).toEqual([503, 'down'])
    const sale = gateway.sale()
    const refused = await gateway.post(sale, 'no-room')
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(refused.body.error.message).toBe('the disk is full: no sale can be stored')
    expect(await gateway.invoice(first.id)).toMatchObject({ status: 'confirmed', jir: first.jir })

    disk.makeRoom()
    expect(await health()).toEqual([200, 'ok'])
    expect(await gateway.post(sale, 'no-room')).toMatchObject({
      status: 200,
      body: { number: '4', status: 'confirmed' },
    })
    expect(gateway.cis.received.map(({ number }) => number)).toEqual(['1', '2', '3', '4'])
  })

  test('to the last byte leaves no half sale, and the same key goes through when there is room again', async () => {
    const { gateway, disk } = await gatewayOn(mountTmpfs(24), 0)
    await gateway.sell()
    disk.leave(0)
    const sales = Array.from({ length: 40 }, () => gateway.sale())
    const answers = []
    for (const [i, sale] of sales.entries()) answers.push(await gateway.post(sale, `full-${i}`))
    const failed = answers.filter(({ status }) => status === 500)
    expect(failed.length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => status === 200 || status === 500)).toBe(true)
    expect((await gateway.v1('/health')).status).toBe(503)

    disk.makeRoom()
    const again: Awaited<ReturnType<Gateway['post']>>[] = []
    for (const [i, sale] of sales.entries()) again.push(await gateway.post(sale, `full-${i}`))
    expect(again.map(({ status }) => status)).toEqual(sales.map(() => 200))
    expect(again.map(({ body }) => Number(body.number)).toSorted((a, b) => a - b)).toEqual(sales.map((_, i) => i + 2))
    answers.forEach(({ status, body }, i) => {
      if (status === 200) expect(again[i]?.body.zki).toBe(body.zki)
    })
    await gateway.restart()
    await gateway.sweep()
    const zkis = new Map(gateway.cis.received.map(({ number, zki }) => [number, zki]))
    expect(zkis.size).toBe(41)
    expect(gateway.cis.received.every(({ number, zki }) => zkis.get(number) === zki)).toBe(true)
    expect((await gateway.v1('/health')).status).toBe(200)
  })
})

test.skipIf(!mayMount())(
  'a full disk is named as the cause, though SQLite has ended the transaction by itself',
  async () => {
    const disk = mountTmpfs(8)
    onTestFinished(() => disk.close())
    const store = await openStore(join(disk.path, 'fiskd.db'), 1)
    onTestFinished(() => store.close())
    disk.leave(0)
    const filling = store.transaction(async (tx) => {
      for (let i = 0; ; i++) await tx.tenants.insert({ id: `t${i}`, name: 'x'.repeat(100_000), createdAt: i })
    })
    await expect(filling).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(await store.tenants.list()).toHaveLength(1)
  },
)

describe.skipIf(!mayMount())('a disk that the kernel makes read-only', () => {
  test('ends in clear refusals, and what was sold before is there when it is mounted anew', async () => {
    const { gateway, disk } = await gatewayOn(mountExt4(32), 0)
    const sold = await gateway.sell()
    disk.failAsSdCardsDo()
    const sale = gateway.sale()
    const refused = await gateway.post(sale, 'read-only')
    expect(refused).toMatchObject({ status: 500, body: { error: { type: 'api_error', code: 'internal_error' } } })
    expect((await gateway.v1('/health')).status).toBe(503)
    expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed' })
    expect(gateway.cis.received).toHaveLength(1)
  })
})

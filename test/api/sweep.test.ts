import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { onPostgres } from '../support/postgres.ts'

/** Sales of an outage that is over, the first one the most endangered. */
async function gatewayWithQueue(length: number): Promise<{ gateway: Gateway; waiting: string[] }> {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const waiting: string[] = []
  for (let i = length; i > 0; i--) {
    const occurred_at = new Date(Date.now() - i * 3_600_000).toISOString()
    waiting.push((await gateway.sell({ occurred_at })).id)
  }
  await gateway.cis.comeBack()
  return { gateway, waiting }
}

const attemptsOf = (gateway: Gateway, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await gateway.invoice(id)).attempts))
const statusesOf = (gateway: Gateway, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await gateway.invoice(id)).status))

/** On PostgreSQL several are under way at once: those that go out together may arrive in any order. */
const together = (numbers: (string | null)[]) => (onPostgres ? numbers.toSorted() : numbers)

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20)
}

test('a pass during an outage sends no message: an unsigned echo asks first', async () => {
  const { gateway, waiting } = await gatewayWithQueue(2)
  gateway.cis.always('http-503')
  await gateway.sweep()
  expect(await attemptsOf(gateway, waiting)).toEqual([2, 2])
  expect((await gateway.admin('/admin/sweep')).body).toMatchObject({ running: false, unreachable: true })
})

test('two messages in a row that reach nobody end the pass, for the others would wait in vain', async () => {
  const { gateway, waiting } = await gatewayWithQueue(4)
  gateway.cis.misbehave('drop-before', 'drop-before', 'drop-before', 'drop-before')
  await gateway.sweep()
  expect(await attemptsOf(gateway, waiting)).toEqual([3, 3, 2, 2])
})

test('an invoice that the authority cannot process now does not hold up the others', async () => {
  const { gateway, waiting } = await gatewayWithQueue(4)
  gateway.cis.misbehave('s006', 's006', 's006')
  await gateway.sweep()
  expect(await statusesOf(gateway, waiting)).toEqual(['retrying', 'retrying', 'retrying', 'confirmed'])
  expect((await gateway.admin('/admin/sweep')).body).toMatchObject({ unreachable: false, queue: { retrying: 3 } })
})

test('a sale that arrives during a pass goes first, and the pass goes on after it', async () => {
  const { gateway, waiting } = await gatewayWithQueue(6)
  gateway.cis.always({ delayMs: 150 })
  const sweeping = gateway.sweep()
  await until(async () => gateway.cis.received.length === 1)
  const live = await Promise.all([gateway.sell(), gateway.sell()])
  await sweeping
  const order = gateway.cis.received.map(({ number }) => number)
  // One of the pass may be on its way while they come.
  expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['1', ...live.map(({ number }) => number)]))
  expect(order.toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  if (!onPostgres) expect(order.slice(-4)).toEqual(['3', '4', '5', '6'])
  expect(new Set(await statusesOf(gateway, waiting))).toEqual(new Set(['confirmed']))
})

test('when the authority answers a sale again, all that the outage left goes out at once, in order', async () => {
  const { gateway, waiting } = await gatewayWithQueue(3)
  await gateway.cis.goDown()
  await gateway.sweep()
  await gateway.cis.comeBack()
  expect((await gateway.sell()).status).toBe('confirmed')
  await until(async () => (await statusesOf(gateway, waiting)).every((status) => status === 'confirmed'))
  const [first, ...others] = gateway.cis.received.map(({ number }) => number)
  expect([first, ...together(others)]).toEqual(['4', '1', '2', '3'])
})

test('a service that answers sales but no echo is swept all the same, once it has answered a sale', async () => {
  const { gateway, waiting } = await gatewayWithQueue(2)
  gateway.cis.always('http-503')
  await gateway.sweep()
  gateway.cis.misbehave({ delayMs: 0 }, { delayMs: 0 }, { delayMs: 0 })
  expect((await gateway.sell()).status).toBe('confirmed')
  await until(async () => (await statusesOf(gateway, waiting)).every((status) => status === 'confirmed'))
})

test('what waits is sent right after a start', async () => {
  const { gateway, waiting } = await gatewayWithQueue(2)
  await gateway.restart()
  await until(async () => (await statusesOf(gateway, waiting)).every((status) => status === 'confirmed'))
})

test('failed sales are put back once their cause is fixed, by code if wanted, and go out in order of their deadlines', async () => {
  const gateway = await startGateway()
  const at = (hours: number) => ({ occurred_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
  gateway.cis.misbehave({ error: 's001' }, { error: 's005' }, { error: 's004' })
  const [young, mismatched, old] = [await gateway.sell(at(1)), await gateway.sell(at(2)), await gateway.sell(at(3))]
  const expired = await gateway.sell({ occurred_at: new Date(Date.now() - 29.9 * 86_400_000).toISOString() })
  expect(expired.status).toBe('confirmed')
  gateway.cis.received.length = 0

  const run = await fisk(['invoice', 'retry', '--failed', '--code', 'upstream_rejected', '--json'], {
    socket: gateway.socketPath,
  })
  expect(JSON.parse(run.stdout)).toMatchObject({ requeued: 2, running: false, queue: { retrying: 0, failed: 1 } })
  expect(run.code).toBe(1)
  expect(gateway.cis.received.map(({ zki }) => zki)).toEqual([old.zki, young.zki])
  expect(await statusesOf(gateway, [young.id, mismatched.id, old.id])).toEqual(['confirmed', 'failed', 'confirmed'])

  const rest = await fisk(['invoice', 'retry', '--failed'], { socket: gateway.socketPath, isTty: true })
  expect(rest).toMatchObject({ code: 0 })
  expect(rest.stdout).toContain('1 failed sale')
  expect(rest.stderr).toContain('of 1 sent, 0 failed')
  expect((await gateway.invoice(mismatched.id)).status).toBe('confirmed')
  type Log = { data: { action: string; detail: object }[] }
  const log = (await gateway.admin<Log>('/admin/audit?limit=2')).body.data
  expect(log.map(({ action, detail }) => [action, detail])).toEqual([
    ['invoices.requeued', { count: 1 }],
    ['invoices.requeued', { count: 2, code: 'upstream_rejected' }],
  ])
})

test('a failed sale that is put back during an outage waits as retrying, and is swept like all others', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ error: 's002' })
  const { id } = await gateway.sell()
  await gateway.cis.goDown()
  const run = await fisk(['invoice', 'retry', '--failed'], { socket: gateway.socketPath })
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('CIS cannot be reached now')
  expect(await gateway.invoice(id)).toMatchObject({
    status: 'retrying',
    attempts: 1,
    last_error_class: 'transient',
    fiscal_error: { code: 'upstream_unavailable', retry_scheduled: true },
  })
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect(await gateway.invoice(id)).toMatchObject({ status: 'confirmed', attempts: 2, late_delivery: true })
})

test.each([
  [['invoice', 'retry'], 'id'],
  [['invoice', 'retry', 'inv_1', '--failed'], 'id'],
  [['invoice', 'retry', 'inv_1', '--code', 'upstream_rejected'], 'code'],
])('fisk %j is wrong use', async (argv, param) => {
  const { code, stderr } = await fisk(argv)
  expect(code).toBe(2)
  expect(stderr).toContain(`Field: ${param}`)
})

test('two invoices to which nobody answers hold up the queue for one pass only', async () => {
  const { gateway, waiting } = await gatewayWithQueue(4)
  gateway.cis.misbehave('drop-before', 'drop-before')
  await gateway.sweep()
  expect(await statusesOf(gateway, waiting)).toEqual(['retrying', 'retrying', 'retrying', 'retrying'])
  await gateway.sweep()
  const [third, ...others] = gateway.cis.received.map(({ number }) => number)
  expect([third, ...together(others)]).toEqual(['3', ...together(['4', '1', '2'])])
  expect(new Set(await statusesOf(gateway, waiting))).toEqual(new Set(['confirmed']))
})

test('two invoices to which nobody ever answers do not keep those waiting whose answer was not believed', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave('unsigned-error', 'unsigned-error')
  const unproven = await gateway.sell()
  expect(unproven.fiscal_error?.message).toMatch(/^An answer came that cannot be believed/)
  await gateway.cis.goDown()
  const others = [(await gateway.sell()).id, (await gateway.sell()).id]
  await gateway.cis.comeBack()
  gateway.cis.misbehave('drop-before', 'drop-before')
  await gateway.sweep()
  expect(await statusesOf(gateway, others)).toEqual(['retrying', 'retrying'])
  expect((await gateway.invoice(unproven.id)).status).toBe('confirmed')
})

test('an invoice whose answer is not believed during a pass is not sent a second time in it', async () => {
  const { gateway, waiting } = await gatewayWithQueue(1)
  gateway.cis.misbehave('unsigned-error')
  await gateway.sweep()
  expect(await attemptsOf(gateway, waiting)).toEqual([3])
  await gateway.sweep()
  expect(await statusesOf(gateway, waiting)).toEqual(['confirmed'])
})

test('two JIRs in a row that cannot be believed end the pass: it parks no more than these', async () => {
  const { gateway, waiting } = await gatewayWithQueue(5)
  gateway.cis.always('tampered')
  await gateway.sweep()
  expect(await statusesOf(gateway, waiting)).toEqual(['failed', 'failed', 'retrying', 'retrying', 'retrying'])
  expect(await attemptsOf(gateway, waiting)).toEqual([3, 3, 2, 2, 2])
  gateway.cis.always(null)
  await gateway.sweep()
  expect(await statusesOf(gateway, waiting)).toEqual(['failed', 'failed', 'confirmed', 'confirmed', 'confirmed'])
})

test('what fails while a pass is under way is not swept by it', async () => {
  const { gateway, waiting } = await gatewayWithQueue(2)
  gateway.cis.misbehave({ delayMs: 500 }, { error: 's001' })
  const sweeping = gateway.sweep()
  await until(async () => gateway.cis.received.length === 1)
  await gateway.admin(`/v1/invoices/${waiting[1]}/retry`, { method: 'POST' })
  await sweeping
  expect(await statusesOf(gateway, waiting)).toEqual(['confirmed', 'failed'])
})

test('a queue that cannot be signed now leaves the event loop to everybody else', async () => {
  const { gateway, waiting } = await gatewayWithQueue(30)
  type List = { data: { id: string }[] }
  const [certificate] = (await gateway.admin<List>('/v1/certificates')).body.data
  await gateway.admin(`/admin/certificates/${certificate?.id}/revoke`, { method: 'POST' })
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  await gateway.sweep()
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
  expect(new Set(await attemptsOf(gateway, waiting))).toEqual(new Set([2]))
})

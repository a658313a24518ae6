import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { FISCAL_ERRORS } from '../../../src/domain/sale/invoice.ts'
import { explainCodes } from '../../../src/domain/sale/refusal.ts'
import { queueChecks } from '../../../src/fiscal/doctor/queue-checks.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { examine } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import {
  broken,
  healthyGateway,
  type LookedAt,
  sharedHealthyGateway,
  storeOf,
  verdicts,
} from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const ANSWERED = { reachable: true, latencyMs: 1, endpoint: 'https://cis.test', detail: null }

/** A gateway and a tax authority for which time passes alike. */
interface InTime {
  gateway: Gateway
  cis: Simulator
  pass: (ms: number) => void
}

async function inTime(
  atTheEnd: (close: () => Promise<void>) => void,
  start: (env: Record<string, string>) => Promise<Gateway>,
): Promise<InTime> {
  let aheadMs = 0
  const cis = await startSimulator({ pki, now: () => Date.now() + aheadMs })
  atTheEnd(() => cis.close())
  const gateway = await start({ FISKD_CIS_TEST_URL: cis.url })
  const pass = (ms: number) => {
    aheadMs += ms
    gateway.clock.aheadMs = aheadMs
  }
  return { gateway, cis, pass }
}

let shared: InTime
beforeAll(async () => {
  shared = await inTime(atTheEndOfFile, sharedHealthyGateway)
})

/** The queue of a gateway, and no other check of it, while CIS answers and a sweep has just ended. */
async function queueOf(gateway: Gateway): Promise<LookedAt> {
  const now = () => Date.now() + gateway.clock.aheadMs
  const checks = queueChecks({
    store: await storeOf(gateway),
    authority: { echo: async () => ANSWERED },
    clock: { now },
    sweep: { state: () => ({ running: false, endedAt: now() }), intervalMs: MINUTE_MS, since: now() },
  })
  return { dataDir: gateway.dataDir, look: () => examine(checks) }
}

test('sweep: when passes do not come any more, it is a warning', async () => {
  const { gateway, pass } = shared
  await gateway.sweep()
  const found = await broken(gateway, () => pass(16 * MINUTE_MS), gateway.sweep)
  expect(verdicts(found)).toEqual(['sweep warn'])
  expect(found[0]).toMatchObject({
    detail: 'the last pass ended 16 minutes ago: nothing is sent again',
    fix: 'restart fiskd: systemctl restart fiskd',
  })
})

test('failed sales: each cause is told with what CIS said, and how to send them again', async () => {
  const { gateway, cis } = shared
  const found = await broken(gateway, async () => {
    cis.misbehave('s013', { error: 's005' })
    expect((await gateway.sell()).status).toBe('failed')
    expect((await gateway.sell()).status).toBe('failed')
  })
  expect(verdicts(found)).toEqual(['failed sales fail', 'failed sales fail'])
  expect(found.map(({ detail }) => detail.slice(0, 40))).toEqual([
    expect.stringContaining('1 with upstream_rejected: '),
    expect.stringContaining('1 with hr.certificate_oib_mismatch: '),
  ])
  expect(found[1]?.fix).toContain('fisk invoice retry --failed --code hr.certificate_oib_mismatch')
})

test('failed sales: restrictive codes are explained, and only what can be confirmed is said to be sent again', async () => {
  const gateway = await startGateway()
  const queue = await queueOf(gateway)
  const refuse = async (...codes: number[]) => {
    gateway.cis.misbehave({ error: 's013', codes })
    expect((await gateway.sell()).status).toBe('failed')
  }
  const clocks = explainCodes([176, 177], 'en').map(({ label, means, fix }) => `${label}: ${means} ${fix}`)
  const [old] = await broken(queue, () => refuse(176))
  expect(old?.detail).toContain('restrictive errors: 176.')
  expect(old?.fix).toBe(clocks[0])

  const fixNow = async () => (await queue.look()).find(({ name }) => name === 'failed sales')?.fix
  const again = 'All of them at once: fisk invoice retry --failed --code upstream_rejected'
  await refuse(177)
  expect(await fixNow()).toBe([...clocks, again].join(' '))

  gateway.cis.misbehave({ error: 's001' })
  expect((await gateway.sell()).status).toBe('failed')
  expect(await fixNow()).toBe([...clocks, FISCAL_ERRORS.upstream_rejected.fix, again].join(' '))
})

test('waiting sales: one that waits longer than the law allows is found', async () => {
  const gateway = await startGateway()
  const queue = await queueOf(gateway)
  const found = await broken(queue, async () => {
    gateway.cis.misbehave('drop-before', 'drop-before')
    const sold = await gateway.sell({ occurred_at: new Date(Date.now() - 10 * DAY_MS).toISOString() })
    expect(sold.status).toBe('retrying')
  })
  expect(verdicts(found)).toEqual(['waiting sales fail'])
  expect(found[0]).toMatchObject({
    detail: '1 are past their legal deadline',
    fix: expect.stringContaining('sent by itself'),
  })
})

test('waiting sales: one that waits for an hour is a warning while CIS answers', async () => {
  const { gateway, cis, pass } = await inTime(onTestFinished, healthyGateway)
  cis.always('s006')
  expect((await gateway.sell()).status).toBe('retrying')
  const found = await broken(gateway, async () => {
    pass(61 * MINUTE_MS)
    await gateway.sweep()
  })
  expect(verdicts(found)).toEqual(['waiting sales warn'])
  expect(found[0]?.detail).toBe('1 wait for more than an hour, although CIS answers')
  expect(found[0]?.fix).toContain('fisk invoice retry ID')
})

test('expired sales: one that got no JIR in 30 days is found for 30 days more', async () => {
  const { gateway, cis, pass } = await inTime(onTestFinished, startGateway)
  const queue = await queueOf(gateway)
  cis.always('s006')
  const { number } = await gateway.sell()
  const found = await broken(queue, async () => {
    pass(31 * DAY_MS)
    await gateway.sweep()
  })
  expect(verdicts(found)).toEqual(['expired sales fail'])
  expect(found[0]).toMatchObject({
    detail: `1 got no JIR within 30 days: number ${number} of POSL1`,
    fix: expect.stringContaining('tell your accountant'),
  })
  pass(30 * DAY_MS)
  await gateway.sweep()
  expect(await broken(queue, () => {})).toEqual([])
})

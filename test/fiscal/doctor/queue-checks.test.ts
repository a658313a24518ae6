import { expect, onTestFinished, test } from 'vitest'
import { FISCAL_ERRORS } from '../../../src/domain/sale/invoice.ts'
import { explainCodes } from '../../../src/domain/sale/restrictive-codes.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { diagnose } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { backUp, broken, healthyGateway, verdicts } from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A gateway and a tax authority for which time passes alike. */
async function inTime(): Promise<{ gateway: Gateway; cis: Simulator; pass: (ms: number) => void }> {
  let aheadMs = 0
  const cis = await startSimulator({ pki, now: () => Date.now() + aheadMs })
  onTestFinished(() => cis.close())
  const gateway = await healthyGateway({ FISKD_CIS_TEST_URL: cis.url })
  const pass = (ms: number) => {
    aheadMs += ms
    gateway.clock.aheadMs = aheadMs
  }
  return { gateway, cis, pass }
}

test('failed sales: each cause is told with what CIS said, and how to send them again', async () => {
  const gateway = await healthyGateway()
  const found = await broken(gateway, async () => {
    gateway.cis.misbehave('s013', { error: 's005' })
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
  const gateway = await healthyGateway()
  const refuse = async (...codes: number[]) => {
    gateway.cis.misbehave({ error: 's013', codes })
    expect((await gateway.sell()).status).toBe('failed')
  }
  const clocks = explainCodes([176, 177], 'en').map(({ label, means, fix }) => `${label}: ${means} ${fix}`)
  const [old] = await broken(gateway, () => refuse(176))
  expect(old?.detail).toContain('restrictive errors: 176.')
  expect(old?.fix).toBe(clocks[0])

  const fixNow = async () => (await diagnose(gateway)).find(({ name }) => name === 'failed sales')?.fix
  const again = 'All of them at once: fisk invoice retry --failed --code upstream_rejected'
  await refuse(177)
  expect(await fixNow()).toBe([...clocks, again].join(' '))

  gateway.cis.misbehave({ error: 's001' })
  expect((await gateway.sell()).status).toBe('failed')
  expect(await fixNow()).toBe([...clocks, FISCAL_ERRORS.upstream_rejected.fix, again].join(' '))
})

test('waiting sales: one that waits longer than the law allows is found', async () => {
  const gateway = await healthyGateway()
  const found = await broken(gateway, async () => {
    gateway.cis.misbehave('drop-before', 'drop-before')
    const sold = await gateway.sell({ occurred_at: new Date(Date.now() - 10 * DAY_MS).toISOString() })
    expect(sold.status).toBe('retrying')
  })
  expect(verdicts(found)).toEqual(['waiting sales fail'])
  expect(found[0]).toMatchObject({
    detail: '1 wait longer than the two working days that the law allows',
    fix: expect.stringContaining('sent by itself'),
  })
})

test('waiting sales: one that waits for an hour is a warning while CIS answers', async () => {
  const { gateway, cis, pass } = await inTime()
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
  const { gateway, cis, pass } = await inTime()
  cis.always('s006')
  const { number } = await gateway.sell()
  const found = await broken(gateway, async () => {
    pass(31 * DAY_MS)
    await gateway.sweep()
    await backUp(gateway)
  })
  expect(verdicts(found)).toEqual(['expired sales fail'])
  expect(found[0]).toMatchObject({
    detail: `1 got no JIR within 30 days: number ${number} of POSL1`,
    fix: expect.stringContaining('tell your accountant'),
  })
  pass(30 * DAY_MS)
  await gateway.sweep()
  await backUp(gateway)
  expect(await broken(gateway, () => {})).toEqual([])
})

test('sweep: when passes do not come any more, it is a warning', async () => {
  const { gateway, pass } = await inTime()
  await gateway.sweep()
  const found = await broken(gateway, () => pass(16 * MINUTE_MS))
  expect(verdicts(found)).toEqual(['sweep warn'])
  expect(found[0]).toMatchObject({
    detail: 'the last pass ended 16 minutes ago: nothing is sent again',
    fix: 'restart fiskd: systemctl restart fiskd',
  })
})

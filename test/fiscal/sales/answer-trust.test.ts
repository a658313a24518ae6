import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { UNPROVEN_JIR } from '../../../src/domain/sale/invoice.ts'
import type { Mode } from '../../../src/domain/sale/sale.ts'
import { queueChecks } from '../../../src/fiscal/doctor/queue-checks.ts'
import { parkedOf } from '../../../src/fiscal/sales/answer-trust.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { sellingIn, watched } from '../../support/alerting.ts'
import { OIBS } from '../../support/pki.ts'

const PARKED = { status: 'failed', lastErrorClass: 'validation', errorCode: UNPROVEN_JIR, errorMessage: 'm' } as const

/** Sales of two tenants and both modes that are parked, and what the alerts say of them. */
async function parked() {
  const { store, time, clock } = await watched()
  await store.tenants.insert({ id: 'jadran', name: 'jadran', createdAt: 0 })
  const ours = await sellingIn(store, time.now)
  const others = await sellingIn(store, time.now, { tenantId: 'jadran', oib: OIBS[1], isuNumber: '102' })
  for (const mode of ['test', 'live', 'live'] as const) await ours.sell({ ...PARKED, mode })
  await others.sell({ ...PARKED, mode: 'live' })
  const believe = (tenantId: string, mode: Mode, may_send?: boolean) =>
    store.alerts.raise({
      ...{ id: randomUUID(), tenantId, kind: 'answers_believed', subject: `${tenantId} ${mode}`, raisedAt: time.now },
      detail: { mode, ...(may_send !== undefined && { may_send }) },
    })
  const sweep = { state: () => ({ running: true, endedAt: null }), intervalMs: 0, since: 0 }
  const authority = { echo: () => Promise.reject(new Error('nobody asks')) }
  const [check] = queueChecks({ store, clock, sweep, authority })
  const doctor = async () => (await check?.run())?.map(({ detail, fix }) => `${detail.en} ${fix?.en}`) ?? []
  return { store, believe, doctor }
}

test('parked sales may be sent where an alert of the tenant and mode says so, and only those are counted then', async () => {
  const { store, believe } = await parked()
  const ours = (mode: Mode | null = null) => parkedOf(store, { tenantId: DEFAULT_TENANT, companyIds: null, mode })
  expect(await ours()).toEqual({ count: 3, maySend: false })
  await believe('jadran', 'live')
  await believe(DEFAULT_TENANT, 'test', false)
  expect(await ours()).toEqual({ count: 3, maySend: false })
  expect(await parkedOf(store, { tenantId: 'jadran', companyIds: null })).toEqual({ count: 1, maySend: true })

  await believe(DEFAULT_TENANT, 'live', true)
  expect(await ours()).toEqual({ count: 2, maySend: true })
  expect(await ours('test')).toEqual({ count: 1, maySend: false })
  expect(await ours('live')).toEqual({ count: 2, maySend: true })
})

test('the doctor tells failed sales by tenant, each with the command that sends these', async () => {
  const { believe, doctor } = await parked()
  await believe('jadran', 'live', true)
  const [ours, others] = (await doctor()).sort((one, other) => other.indexOf('3 with') - one.indexOf('3 with'))
  const command = 'invoice retry --failed --code upstream_signature_invalid'
  expect(ours).toMatch(new RegExp(`^3 with upstream_signature_invalid: m see .*: fisk ${command}$`))
  expect(others).toBe(
    '1 of tenant jadran with upstream_signature_invalid: m; 1 can be sent again, for answers are believed again ' +
      `send all of them: fisk --tenant jadran ${command}`,
  )
})

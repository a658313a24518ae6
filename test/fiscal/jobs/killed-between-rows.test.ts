import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { startGateway } from '../../support/gateway.ts'
import { fleet } from '../../support/sync-rows.ts'

const MACHINES = 800

test('bulk work whose process is killed between two rows goes on with the next start, and does each row once', async () => {
  const gateway = await startGateway()
  const body = { name: 'iva', password: 'a long password', role: 'operator' }
  const user = await gateway.admin('/admin/users', { body })
  await gateway.stop()
  await storeJob(gateway.database, gateway.companyId, user.body.id as string)

  for (const least of [1, 200]) {
    const daemon = await runDaemon(gateway, onTestFinished)
    await expect.poll(() => countOf(gateway.database, DONE), { interval: 2 }).toBeGreaterThanOrEqual(least)
    daemon.signal('SIGKILL')
    await daemon.ended
    expect(countOf(gateway.database, DONE)).toBeLessThan(MACHINES)
    expect(countOf(gateway.database, SUSPENDED)).toBe(countOf(gateway.database, DONE))
  }
  await runDaemon(gateway, onTestFinished)
  await expect.poll(() => countOf(gateway.database, ENDED), { timeout: 60_000 }).toBe(1)
  expect(countOf(gateway.database, DONE)).toBe(MACHINES)
  expect(countOf(gateway.database, SUSPENDED)).toBe(MACHINES)
  expect(countOf(gateway.database, CHANGES)).toBe(MACHINES)
}, 180_000)

const DONE = `job_rows WHERE state = 'done'`
const SUSPENDED = `devices WHERE status = 'suspended'`
const ENDED = 'jobs WHERE ended_at IS NOT NULL'
const CHANGES = `audit_log WHERE action = 'device.changed'`

function countOf(database: string, rows: string): number {
  const db = new Database(database, { readonly: true })
  try {
    return Number(db.prepare(`SELECT count(*) FROM ${rows}`).pluck().get())
  } finally {
    db.close()
  }
}

async function storeJob(database: string, companyId: string, createdBy: string): Promise<void> {
  const devices = Array.from({ length: MACHINES }, (_, i) => ({
    ...fleet({ premisesCode: `P${i}`, label: `Machine ${i}`, isuNumber: String(5000 + i) }).device,
    companyId,
  }))
  const job = {
    ...{ id: 'job', tenantId: DEFAULT_TENANT, kind: 'status' as const, parameters: { status: 'suspended' } },
    ...{ createdBy, createdAt: Date.now(), endedAt: null, total: MACHINES },
  }
  const rows = devices.map(({ id, label }) => ({
    subjectId: id,
    label,
    input: null,
    was: null,
    gatewayId: LOCAL_GATEWAY,
  }))
  const store = await openStore(database, Date.now())
  await store.transaction(async (tx) => {
    for (const device of devices) {
      await tx.devices.insert({ ...device, tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY })
    }
    await tx.jobs.insert(job, rows)
  })
  await store.close()
}

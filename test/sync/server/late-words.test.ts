import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { SyncRecord } from '../../../src/fiscal/ports/outbox.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

let made = 0
const kiosk = () => {
  const number = ++made
  return fleet({ oib: OIBS[1], premisesCode: `L${number}`, label: 'x', isuNumber: `${81_000 + number}` })
}

/** What was said at these places of the outbox, each word as it comes; a batch at a time. */
async function hear(parents: SyncRecord[], batches: SyncRecord[][]) {
  const gateway = await enrolGateway(server)
  const position = 200_000
  await gateway.push(parents, { after: 0, position: 1 })
  for (const records of batches) {
    const { body } = await gateway.push(records, { after: 0, position })
    expect(body.refused).toEqual([])
  }
}

/** A had the name until 20, B has it from 21 on. */
const ORDERS = ['early late own', 'late early own', 'late own early', 'early own late', 'early late late own'] as const

test.each(ORDERS)('devices that gave names to each other are as they are at the end, heard %s', async (order) => {
  const { company, certificate, device } = kiosk()
  const [a, b] = [device, { ...device, id: randomUUID() }]
  const words = {
    late: record('device', a, 100_010),
    own: record('device', { ...a, label: 'z', isuNumber: `9${a.isuNumber}` }, 100_020),
    early: record('device', b, 100_021),
  }
  const batches = order.split(' ').map((word) => [words[word as keyof typeof words]])
  await hear(
    [record('company', company, 1), record('certificate', certificate, 1)],
    [...batches, [words.own, words.early]],
  )
  const rows = await inDatabase(
    server,
    `SELECT id, label, isu_number, isu_status FROM devices WHERE id IN ('${a.id}', '${b.id}') ORDER BY label`,
  )
  expect(rows).toEqual([
    { id: b.id, label: 'x', isu_number: a.isuNumber, isu_status: 'assigned' },
    { id: a.id, label: 'z', isu_number: `9${a.isuNumber}`, isu_status: 'assigned' },
  ])
})

test.each(ORDERS)('the certificate that came last is in use, heard %s', async (order) => {
  const { company, certificate: a } = kiosk()
  const b = { ...a, id: randomUUID(), uploadedAt: a.uploadedAt + 500 }
  const words = {
    late: record('certificate', a, 100_010),
    own: record('certificate', { ...a, supersededAt: b.uploadedAt + 7 }, 100_020),
    early: record('certificate', b, 100_021),
  }
  const batches = order.split(' ').map((word) => [words[word as keyof typeof words]])
  await hear([record('company', company, 1)], [...batches, [words.own, words.early]])
  const rows = await inDatabase(
    server,
    `SELECT id, superseded_at FROM certificates WHERE id IN ('${a.id}', '${b.id}') ORDER BY uploaded_at`,
  )
  const ended = b.uploadedAt + 7
  expect(rows.map((row) => ({ ...row, superseded_at: row.superseded_at && Number(row.superseded_at) }))).toEqual([
    { id: a.id, superseded_at: ended },
    { id: b.id, superseded_at: null },
  ])
})

test.each(ORDERS)('the alert that was raised last is open, heard %s', async (order) => {
  const { alert } = kiosk()
  const a = alert({ subject: randomUUID() })
  const b = { ...a, id: randomUUID(), raisedAt: a.raisedAt + 500 }
  const words = {
    late: record('alert', a, 100_010),
    own: record('alert', { ...a, resolvedAt: a.raisedAt + 7 }, 100_020),
    early: record('alert', b, 100_021),
  }
  const batches = order.split(' ').map((word) => [words[word as keyof typeof words]])
  await hear([], [...batches, [words.own, words.early]])
  const rows = await inDatabase(
    server,
    `SELECT id, resolved_at FROM alerts WHERE subject = '${a.subject}' ORDER BY raised_at`,
  )
  expect(rows.map((row) => ({ ...row, resolved_at: row.resolved_at && Number(row.resolved_at) }))).toEqual([
    { id: a.id, resolved_at: a.raisedAt + 7 },
    { id: b.id, resolved_at: null },
  ])
})

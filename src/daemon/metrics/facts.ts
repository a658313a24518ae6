import type { EpochMs } from '../../domain/instant.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import { deadlineOf } from '../../domain/sale/invoice.ts'
import type { ClockState } from '../../fiscal/clock/describe-clock.ts'
import type { DeviceCounts } from '../../fiscal/doctor/blockers/blocker.ts'
import { companyCertificates } from '../../fiscal/doctor/status.ts'
import type { SyncStatus } from '../../fiscal/gateways/sync-status.ts'
import type { Queue } from '../../fiscal/ports/rows/sales.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { nearestLegalDeadline } from '../../fiscal/sales/legal-deadline.ts'

/** The values that are read again for every scrape. A value that cannot be determined is null. */
export interface Facts {
  stored: StoredFacts | null
  devices: Pick<DeviceCounts, 'total' | 'able'> | null
  diskFreeBytes: number | null
  clock: Pick<ClockState, 'status' | 'synchronised' | 'offsetMs'> | null
  /** Of the central server; null without one, or when nothing can be read. */
  sync: Pick<SyncStatus, 'waiting' | 'refused' | 'lastPushAt'> | null
  printers: ReadonlyMap<string, PrinterCondition>
  /** The open alerts that have not been acknowledged, of all tenants and gateways; null when they cannot be read. */
  alerts: readonly { kind: string }[] | null
}

export interface StoredFacts {
  databaseMs: number
  queue: Queue
  /** About the sales that can still be confirmed; null when no sale waits. */
  waiting: { oldestAgeMs: number; technicalMsLeft: number; legalMsLeft: number } | null
  /** Days until the certificate in use expires, by company id. */
  certificateMs: Map<string, number>
}

/** @throws whatever the database throws when it does not answer or takes no writes */
export async function readStored(store: Store, now: EpochMs): Promise<StoredFacts> {
  const databaseMs = await store.ping()
  const queue = await store.invoices.queue()
  const certificateMs = new Map<string, number>()
  const active = (await store.companies.ours()).filter(({ status }) => status === 'active').map(({ id }) => id)
  const certificateOf = await companyCertificates(store, active, now)
  for (const id of active) {
    const { notAfter } = certificateOf(id)
    if (notAfter !== null) certificateMs.set(id, notAfter - now)
  }
  return { databaseMs, queue, waiting: waitingOf(queue, now, await nearestLegalDeadline(store)), certificateMs }
}

/** The oldest sale has the nearest technical deadline. */
function waitingOf({ nextDeadlineAt }: Queue, now: EpochMs, legalAt: EpochMs | null): StoredFacts['waiting'] {
  if (nextDeadlineAt === null || legalAt === null) return null
  const oldestAt = nextDeadlineAt - deadlineOf(0)
  return { oldestAgeMs: now - oldestAt, technicalMsLeft: nextDeadlineAt - now, legalMsLeft: legalAt - now }
}

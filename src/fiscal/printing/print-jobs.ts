import { conflict, notFound } from '../../domain/errors.ts'
import type { EpochMs, Present } from '../../domain/instant.ts'
import { LATE_DELIVERY_AFTER_MS } from '../../domain/sale/invoice.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { DevicePrinter, Invoice, PrintJob } from '../ports/model.ts'
import type { Spool } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'

/** Whether the original is still to be had: no paper came out, and nobody got it over `/v1`. @param original its job */
export function isNotGivenOut(original: Pick<PrintJob, 'status' | 'begunAt'> | null | undefined): boolean {
  return !original || (original.status === 'expired' && original.begunAt === null)
}

/** Only for a first send: after a replay or retry no customer waits for paper. @returns undefined without a printer */
export function originalOf(
  printer: DevicePrinter | undefined,
  invoice: Invoice,
  present: Present,
): PrintJob | undefined {
  if (!printer) return undefined
  const { now, earliest } = present
  const job = newJob(invoice, printer, 0, now)
  // A sale posted hours later has no waiting customer; a difference of minutes may be the firmware's clock.
  const isLate = earliest - invoice.occurredAt > Math.max(LATE_DELIVERY_AFTER_MS, printer.expireAfterS * 1000)
  if (!isLate) return job
  return { ...job, status: 'expired', endedAt: now, detail: 'the sale was long over when it was posted' }
}

function newJob(invoice: Invoice, printer: DevicePrinter, copy: number, now: EpochMs): PrintJob {
  return {
    invoiceId: invoice.id,
    copy,
    deviceId: invoice.deviceId,
    status: 'queued',
    createdAt: now,
    expiresAt: now + printer.expireAfterS * 1000,
    begunAt: null,
    endedAt: null,
    detail: null,
    reason: null,
  }
}

/** Queues a marked copy. @throws FiskError 404 for an unknown invoice, 409 when its device has no printer */
export async function printCopy(
  { store, clock, spool }: Context & { spool: Spool },
  principal: Principal,
  id: string,
  keep?: Keep<PrintJob>,
): Promise<PrintJob> {
  requireScope(principal, 'invoices:write')
  const invoice = await findInvoice(store, principal, id)
  requireOurs('invoice', invoice, 'id')
  const job = await keeping(store, keep, async (tx) => {
    await tx.subjects.hold('printing')
    const printer = await requirePrinter(tx, invoice.deviceId)
    const copy = (await tx.printJobs.lastCopy(id)) + 1
    const now = clock.now()
    const made = newJob(invoice, printer, copy, now)
    await tx.printJobs.insert(made)
    await audit(tx, principal, now, 'receipt.copied', { id, copy })
    return made
  })
  spool.wake()
  return job
}

/** @throws FiskError 409 for a device without a printer */
export async function requirePrinter({ printers }: StoreTransaction, deviceId: string): Promise<DevicePrinter> {
  const printer = await printers.get(deviceId)
  if (printer) return printer
  throw conflict('device_id', 'the device has no printer: set one with fisk printer set', 'printer_missing')
}

/** @throws FiskError 404 when there is no such receipt */
export async function findPrintJob(
  { store }: { store: StoreTransaction },
  principal: Principal,
  id: string,
  copy: number,
): Promise<PrintJob> {
  await findInvoice(store, principal, id)
  const job = await store.printJobs.get(id, copy)
  if (!job) throw notFound('copy', 'there is no such receipt')
  return job
}

/** The originals of these invoices, keyed by invoice id; the reason of one that has not ended is its printer's now. */
export async function receiptPrints(
  { store, spool }: { store: StoreTransaction; spool: Pick<Spool, 'condition'> },
  invoiceIds: string[],
): Promise<Map<string, PrintJob>> {
  const jobs = await store.printJobs.originals(invoiceIds)
  return new Map(
    jobs.map((job) => {
      const isOpen = job.status === 'queued' || job.status === 'sending'
      return [job.invoiceId, isOpen ? { ...job, reason: spool.condition(job.deviceId)?.reason ?? null } : job]
    }),
  )
}

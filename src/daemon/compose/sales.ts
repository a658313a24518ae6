import type { Logger } from 'pino'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { countDiffering } from '../../domain/sale/item-sums.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { skipLostNumbers } from '../../fiscal/numbering/account-for-lost.ts'
import { healNumbers } from '../../fiscal/numbering/heal-numbers.ts'
import { numberStandings } from '../../fiscal/numbering/list-numbers.ts'
import type { Issued } from '../../fiscal/numbering/lost-sales.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import { originalsOf } from '../../fiscal/printing/print-jobs.ts'
import { createSigningIdentities } from '../../fiscal/registry/signing-identities.ts'
import { keepsXml, type LookAtDisk } from '../../fiscal/sales/disk-space.ts'
import { authorizeDevice, createFiscalize } from '../../fiscal/sales/fiscalize.ts'
import { createOnce, keyTime } from '../../fiscal/sales/idempotency.ts'
import type { LiveSales } from '../../fiscal/sales/live-sales.ts'
import { findInvoice, listInvoices } from '../../fiscal/sales/read-invoices.ts'
import { recoverPending } from '../../fiscal/sales/recover-pending.ts'
import { requeueFailed } from '../../fiscal/sales/requeue-failed.ts'
import { createRetry } from '../../fiscal/sales/retry-by-hand.ts'
import { createSubmitter, isUnreachable } from '../../fiscal/sales/submit.ts'
import { createSweep } from '../../fiscal/sales/sweep.ts'
import { createUnsentInvoices } from '../../fiscal/sales/unsent-invoices.ts'
import type { AdminUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { withinReach } from '../../fiscal/within-reach.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { currentLog } from '../lifecycle/current-log.ts'
import { createSweeper } from '../lifecycle/sweep-timer.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Authority } from './authority.ts'
import type { RunningClock } from './clocks.ts'
import { createEvent } from './event.ts'
import { createSha1Notice } from './sha1-notice.ts'

export interface SalesDeps {
  config: Pick<Config, 'sweepIntervalMs'>
  store: OpenStore
  vault: Vault
  clock: RunningClock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  log: Logger
  newUuid: () => string
  newInvoiceId: () => string
  issued: Issued
  metrics: Metrics
  authority: Pick<Authority, 'authority'>
  spool: Pick<Spool, 'condition' | 'prepare' | 'wake'>
  lookAtDisk: LookAtDisk
  liveSales: LiveSales
  expireOverdue: () => Promise<void>
  /** Resolves when a number may be given out. */
  beforeNumber: () => Promise<void>
  /** A sale was tried, whatever came of it. */
  onSale: () => void
  /** A JIR has come that could not be believed. */
  onUnprovenJir: () => void
}

/** Messages of one process on PostgreSQL: the tax authority takes about a second for each. */
const SWEPT_AT_ONCE = 10

export type Sales = ReturnType<typeof composeSales>

/** What is sold, sent, swept and sent again. */
export function composeSales(deps: SalesDeps) {
  const { store, clock, newUuid, metrics, spool, lookAtDisk, liveSales, expireOverdue } = deps
  const { authority } = deps.authority
  const log = () => currentLog(deps.log)
  const { invoiceLock } = store
  const identities = createSigningIdentities(store, deps.vault)
  const noticeSha1 = createSha1Notice(deps.elapsed, log)
  const reportFault = ({ invoiceId, error }: { invoiceId: string; error: unknown }) =>
    log().error({ err: error, invoiceId }, 'an invoice could not be sent')
  const answered = createEvent<Mode>()
  const submitter = createSubmitter({
    store,
    authority,
    clock,
    newUuid,
    reportFault,
    keepsXml: async () => keepsXml(await lookAtDisk()),
    observe(attempt) {
      metrics.attempted(attempt)
      noticeSha1(attempt)
      if (!isUnreachable(attempt.outcome)) answered.tell(attempt.mode)
    },
    onStored({ errorCode }) {
      if (errorCode === UNPROVEN_JIR) deps.onUnprovenJir()
    },
  })
  const waiting = createUnsentInvoices({ store, identities, invoiceLock, clock })
  const sweep = createSweep({
    store,
    authority,
    submitter,
    waiting,
    invoiceLock,
    liveSales,
    atOnce: store.isShared ? SWEPT_AT_ONCE : 1,
    reportFault,
  })
  async function removeOldKeys(): Promise<void> {
    for (const mode of [...MODES, null]) await store.idempotency.removeOver(keyTime(clock, { mode }), mode)
  }
  const sweeper = createSweeper({
    async pass(signal, heardFrom) {
      await removeOldKeys()
      await expireOverdue()
      const result = await sweep(signal, heardFrom)
      metrics.passEnded(clock.now())
      return result
    },
    intervalMs: deps.config.sweepIntervalMs,
    now: clock.now,
    log: deps.log,
  })
  answered.on(sweeper.answered)
  const keyLock = createKeyedLock()
  const fiscalize = createFiscalize({
    store,
    identities,
    submitter,
    keyLock,
    clock,
    newInvoiceId: deps.newInvoiceId,
    issued: deps.issued,
    lookAtDisk,
    beforeNumber: deps.beforeNumber,
    spool,
  })
  const inReach = <T>(work: () => Promise<T>) =>
    withinReach(store.reach, work, (error) =>
      log().error({ err: error }, 'a sale failed that nobody waits for any more'),
    )
  const retry = createRetry({ store, submitter, waiting, clock })
  const useCases = {
    async fiscalize(command) {
      try {
        const sold = await inReach(() => liveSales.run(() => fiscalize(command)))
        if (!sold.replayed) metrics.itemsDiffered(countDiffering(command.request.items ?? []))
        return sold
      } finally {
        deps.onSale()
      }
    },
    once: createOnce({ store, keyLock, clock }),
    retry: (...order) => inReach(() => retry(...order)),
    async findInvoice(principal, id) {
      await expireOverdue()
      return findInvoice(store, principal, id)
    },
    async listInvoices(principal, filter, slice) {
      await expireOverdue()
      return listInvoices(store, principal, filter, slice)
    },
    messagesOf: (invoiceId) => store.messages.trail(invoiceId),
    receiptPrints: (invoiceIds) => originalsOf({ store, spool }, invoiceIds),
    authorizeDevice: (principal, deviceId) => authorizeDevice(store, principal, deviceId),
    noteSeen: (deviceId) => store.devices.seen(deviceId, clock.now()),
  } satisfies Partial<UseCases>
  const adminUseCases = {
    sweepState: async () => ({ ...sweeper.state(), queue: await store.invoices.queue() }),
    listNumbers: (principal) => numberStandings({ store, clock }, principal),
    healNumbers: (principal, order) => healNumbers({ store, clock, issued: deps.issued }, principal, order),
    skipLostNumbers: (principal, order) => skipLostNumbers({ store, clock, issued: deps.issued }, principal, order),
  } satisfies Partial<AdminUseCases>
  return {
    useCases,
    adminUseCases,
    identities,
    sweeper,
    /** Puts failed invoices back into the queue and has it swept. @returns how many */
    async requeueFailed(principal: Principal, code?: FiscalErrorCode): Promise<number> {
      const count = await requeueFailed({ store, invoiceLock, clock }, principal, code)
      if (count > 0) void sweeper.sweep()
      return count
    },
    /** Takes up the sales that were being sent when the process ended. */
    async recover(): Promise<void> {
      const recovered = await recoverPending(store, invoiceLock)
      if (recovered > 0) log().warn({ recovered }, 'sales that were being sent when fiskd stopped will be sent again')
      await removeOldKeys()
    },
  }
}

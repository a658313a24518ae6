import { DAY_MS } from '../../domain/instant.ts'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { countDiffering } from '../../domain/sale/item-sums.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { NUMBERING_ADMIN } from '../../fiscal/numbering/numbering.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import { type ReceiptLinks, receiptUrls } from '../../fiscal/receipt-links/links.ts'
import { createSigningIdentities } from '../../fiscal/registry/signing-identities.ts'
import { keepsXml } from '../../fiscal/sales/disk-space.ts'
import { authorizeDevice, createFiscalize } from '../../fiscal/sales/fiscalize.ts'
import { createOnce, keyTime } from '../../fiscal/sales/idempotency.ts'
import { findInvoice, listInvoices } from '../../fiscal/sales/read-invoices.ts'
import { recoverPending } from '../../fiscal/sales/recover-pending.ts'
import { requeueFailed } from '../../fiscal/sales/requeue-failed.ts'
import { createRetry } from '../../fiscal/sales/retry-by-hand.ts'
import { type Attempt, createSubmitter, isUnreachable } from '../../fiscal/sales/submit.ts'
import { createSweep } from '../../fiscal/sales/sweep.ts'
import { createUnsentInvoices } from '../../fiscal/sales/unsent-invoices.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { wired } from '../../fiscal/wired.ts'
import { withinReach } from '../../fiscal/within-reach.ts'
import { createSweeper } from '../lifecycle/sweep-timer.ts'
import type { Authority } from './authority.ts'
import type { Base, Log } from './base.ts'
import { createEvent } from './event.ts'

export type SalesDeps = Base & {
  authority: Pick<Authority, 'authority' | 'askForTime'>
  spool: Pick<Spool, 'condition' | 'prepare' | 'wake'>
  links: ReceiptLinks
  /** Resolves when a number may be given out. */
  beforeNumber: () => Promise<void>
  /** A sale was tried, whatever came of it. */
  onSale: () => void
  /** A JIR has come that could not be believed. */
  onUnprovenJir: () => void
}

/** Messages of one process on PostgreSQL: the tax authority takes about a second for each. */
const SWEPT_AT_ONCE = 10

export function composeSales(deps: SalesDeps) {
  const { store, clock, log, newUuid, metrics, issued, spool, lookAtDisk, liveSales, expireOverdue } = deps
  const { authority, askForTime } = deps.authority
  const { invoiceLock } = store
  const identities = createSigningIdentities(store, deps.vault)
  const noticeSha1 = createSha1Notice(deps.elapsed, log)
  const reportFault = ({ invoiceId, error }: { invoiceId: string; error: unknown }) =>
    log.error({ err: error, invoiceId }, 'an invoice could not be sent')
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
    onStored(invoice) {
      if (invoice.status === 'confirmed') metrics.confirmed(invoice)
      if (invoice.errorCode === UNPROVEN_JIR) deps.onUnprovenJir()
    },
  })
  const waiting = createUnsentInvoices({ store, identities, invoiceLock, clock })
  const sweep = createSweep({
    store,
    authority,
    clock,
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
      // A machine that was off for a month learns only from the authority that its sales are past their deadline.
      await askForTime()
      await expireOverdue()
      const result = await sweep(signal, heardFrom)
      metrics.passEnded(clock.now())
      return result
    },
    intervalMs: deps.config.sweepIntervalMs,
    now: clock.now,
    log: deps.processLog,
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
    issued,
    lookAtDisk,
    beforeNumber: deps.beforeNumber,
    spool,
    links: deps.links,
  })
  const inReach = <T>(work: () => Promise<T>) =>
    withinReach(store.reach, work, (error) => log.error({ err: error }, 'a sale failed that nobody waits for any more'))
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
    findInvoice: (...asked) => expireOverdue().then(() => findInvoice(store, ...asked)),
    listInvoices: (...asked) => expireOverdue().then(() => listInvoices(store, ...asked)),
    receiptUrls: () => receiptUrls(deps.links),
    messagesOf: (invoiceId) => store.messages.trail(invoiceId),
    ...wired(store, { authorizeDevice }),
    noteSeen: (deviceId) => store.devices.seen(deviceId, clock.now()),
  } satisfies Partial<UseCases>
  const adminUseCases = {
    sweepState: async () => ({ ...sweeper.state(), queue: await store.invoices.queue() }),
    ...wired({ store, clock, issued }, NUMBERING_ADMIN),
  }
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
    async recover(): Promise<void> {
      const recovered = await recoverPending(store, invoiceLock)
      if (recovered > 0) log.warn({ recovered }, 'sales that were being sent when fiskd stopped will be sent again')
      await removeOldKeys()
    },
  }
}

/** Writes into the log that a service signs with SHA-1: once a day for each mode, however many sales there are. */
function createSha1Notice(elapsed: () => number, log: Log): (attempt: Attempt) => void {
  const saidAt = new Map<Mode, number>()
  return ({ mode, signature }) => {
    if (signature !== 'rsa-sha1') return
    const before = saidAt.get(mode)
    if (before !== undefined && elapsed() - before < DAY_MS) return
    saidAt.set(mode, elapsed())
    log.warn(
      { mode, signature },
      'the tax authority signs its answers with SHA-1: they are believed as long as FISKD_CIS_SHA1_ANSWERS is accept',
    )
  }
}

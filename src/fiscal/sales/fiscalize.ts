import { FiskError, notFound } from '../../domain/errors.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import { deadlineOf } from '../../domain/sale/invoice.ts'
import { sequenceRegister } from '../../domain/sale/receipt-number.ts'
import { type ResolvedSale, resolveSale, type SaleRequest } from '../../domain/sale/resolve-sale.ts'
import { type Principal, requireDevice, requireMode, requireScope } from '../access/principal.ts'
import { takeNumber } from '../numbering/take-number.ts'
import type { SigningIdentity } from '../ports/certificates.ts'
import type { ModeClocks, WatchedClock } from '../ports/clock.ts'
import { type Company, type Device, type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { QueuedReceipt, Spool } from '../ports/printing.ts'
import { Duplicate, type Store, type StoreTransaction } from '../ports/store.ts'
import { queueOriginal } from '../printing/print-jobs.ts'
import { factsOf } from '../printing/receipts.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import type { SigningIdentities } from '../registry/signing-identities.ts'
import type { LookAtDisk } from './disk-space.ts'
import { earlierUse, type IdempotencyUse, keyTime, lockOf, reserveKey } from './idempotency.ts'
import { enter } from './journal.ts'
import { takeOverInterrupted } from './recover-pending.ts'
import { ATTEMPTS_IN_A_REQUEST, type Submitter } from './submit.ts'
import { createZkisAhead } from './zki-ahead.ts'

export interface SaleCommand {
  principal: Principal
  request: SaleRequest
  idempotency: IdempotencyUse
  /** Renders the response that is stored for replay, inside the transaction of the outcome. */
  render: (invoice: Invoice) => string
}

export interface SaleResult {
  invoiceId: string
  body: string
  replayed: boolean
}

/**
 * Fiscalizes a sale: one idempotency key is one invoice, however often and however simultaneously it is posted.
 * @throws FiskError before anything is numbered or stored
 */
export type Fiscalize = (command: SaleCommand) => Promise<SaleResult>

export interface FiscalizeDeps {
  store: Pick<Store, 'companies' | 'devices' | 'idempotency' | 'transaction'>
  identities: SigningIdentities
  submitter: Submitter
  /** Shared with retry and sweep: an invoice is never submitted twice at the same time. */
  invoiceLock: KeyedLock
  keyLock: KeyedLock
  clock: WatchedClock & ModeClocks
  newInvoiceId: () => string
  lookAtDisk: LookAtDisk
  /** The spool prints in the background; a sale never waits for it. */
  spool: Pick<Spool, 'prepare' | 'wake'>
}

export function createFiscalize(deps: FiscalizeDeps): Fiscalize {
  const { store, identities, submitter, invoiceLock, keyLock, clock, newInvoiceId, lookAtDisk, spool } = deps
  const beginZki = createZkisAhead()

  async function fiscalize({ principal, request, idempotency, render }: SaleCommand): Promise<SaleResult> {
    const earlier = await earlierUse(store, idempotency, keyTime(clock, idempotency))
    if (earlier?.response) {
      return { invoiceId: String(earlier.invoiceId), body: earlier.response.body, replayed: true }
    }
    if (earlier?.invoiceId) {
      // A crash interrupted the first request after the invoice was stored. Return that invoice and never create a
      // second one.
      const invoice = await invoiceLock.run(earlier.invoiceId, () =>
        takeOverInterrupted(store, earlier.invoiceId ?? ''),
      )
      const body = render(invoice)
      await store.idempotency.complete(idempotency.scope, idempotency.key, { status: 200, body })
      return { invoiceId: invoice.id, body, replayed: true }
    }

    const { device, company } = await findOrigin(store, principal, request.device_id)
    requireOurs('device', device, 'device_id')
    const present = clock.of(company.mode).present()
    requireActive(device, company)
    const sale = resolveSale(request, originOf(device, company), present)
    const identity = await identities.current(company, present, 'device_id')
    await requireRoom()
    const invoiceId = newInvoiceId()
    let body = ''
    let queued: QueuedReceipt | undefined
    // Lock before storing: then a `pending` invoice without a lock is known not to be in sending.
    await invoiceLock.run(invoiceId, async () => {
      const invoice = await storePending({ invoiceId, sale, identity, device, company, idempotency, now: present.now })
      spool.prepare(invoice)
      await submitter.send(invoice, identity, {
        attempts: ATTEMPTS_IN_A_REQUEST,
        async onOutcome(tx, settled) {
          body = render(settled)
          await tx.idempotency.complete(idempotency.scope, idempotency.key, { status: 200, body })
          queued = await queueOriginal(tx, settled, clock.of(company.mode).present())
        },
      })
    })
    if (queued) spool.wake(queued)
    return { invoiceId, body, replayed: false }
  }

  /** The remaining disk space is reserved for the outcomes of sales in progress. */
  async function requireRoom(): Promise<void> {
    const { room } = await lookAtDisk()
    if (room === 'no_sales') throw new FiskError('internal_error', 'the disk is full: no sale can be stored')
  }

  /** The durability boundary: key, number, ZKI and invoice are on disk together before anything is sent. */
  async function storePending(checked: CheckedSale): Promise<Invoice> {
    const { invoiceId, sale, identity, device, company, idempotency, now } = checked
    const { document, year, occurredAt } = sale
    const { premisesCode, registerMark, companyOib } = document
    const register = sequenceRegister(document)
    const sequence = { companyId: company.id, mode: company.mode, premisesCode, year, register }
    const facts = { companyOib, occurredAt, premisesCode, registerMark, totalCents: sale.totalCents }
    const zkiAhead = beginZki(sequence, facts, identity.privateKey, sale.number)
    try {
      return await store.transaction(async (tx) => {
        const number = await takeNumber(tx, sequence, document.sequenceMark, sale.number, { invoiceId, now })
        const zki = await zkiAhead.of(number)
        const invoice: Invoice = await enter(tx, sequence, {
          id: invoiceId,
          gatewayId: LOCAL_GATEWAY,
          tenantId: company.tenantId,
          companyId: company.id,
          deviceId: device.id,
          certificateId: identity.certificateId,
          mode: company.mode,
          status: 'pending',
          jir: null,
          occurredAtText: sale.occurredAtText,
          occurredAt,
          year,
          document: { ...document, number, zki },
          receipt: factsOf(company, device, sale.items),
          numberSupplied: sale.number !== null,
          lateDelivery: sale.lateDelivery,
          attempts: 1,
          deadlineAt: deadlineOf(occurredAt),
          confirmedAt: null,
          createdAt: now,
          lastErrorClass: null,
          errorCode: null,
          errorMessage: null,
        })
        await tx.invoices.insert(invoice)
        // Read the key time inside this transaction: a time proof updates the keys in its own transaction.
        await reserveKey(tx, idempotency, invoice.id, keyTime(clock, idempotency))
        await tx.devices.update(device.id, { lastSeenAt: now })
        return invoice
      })
    } catch (error) {
      if (!(error instanceof Duplicate) || sale.number === null) throw error
      throw new FiskError('invoice_already_exists', `number ${sale.number} is already used at this selling point`, {
        param: 'number',
        cause: error,
      })
    } finally {
      zkiAhead.end()
    }
  }

  return (command) => {
    requireScope(command.principal, 'invoices:write')
    return keyLock.run(lockOf(command.idempotency), () => fiscalize(command))
  }
}

interface CheckedSale {
  invoiceId: string
  sale: ResolvedSale
  identity: SigningIdentity
  device: Device
  company: Company
  idempotency: IdempotencyUse
  now: number
}

/** The device and company of a sale. */
export interface Origin {
  device: Device
  company: Company
}

/**
 * Checks the mode of the device before the request body is validated, because `mode_mismatch` comes first.
 * @returns undefined when the tenant has no device with this id; `findOrigin` reports that later
 * @throws FiskError `mode_mismatch`
 */
export async function authorizeDevice(
  store: Pick<StoreTransaction, 'companies' | 'devices'>,
  principal: Principal,
  deviceId: string,
): Promise<Origin | undefined> {
  const device = await store.devices.get(deviceId)
  if (device?.tenantId !== principal.tenantId) return undefined
  const company = await store.companies.get(device.companyId)
  if (!company) return undefined
  requireMode(principal, company.mode, 'device_id')
  return { device, company }
}

/**
 * The device of a sale and its company.
 * @throws FiskError 404 when the tenant has no such device, `mode_mismatch`, or `insufficient_scope` for a bound key
 */
export async function findOrigin(
  store: Pick<StoreTransaction, 'companies' | 'devices'>,
  principal: Principal,
  deviceId: string,
): Promise<Origin> {
  const origin = await authorizeDevice(store, principal, deviceId)
  if (!origin) throw notFound('device_id', 'there is no such device')
  requireDevice(principal, origin.device.id)
  return origin
}

function requireActive(device: Device, company: Company): void {
  for (const [what, { status }] of Object.entries({ device, company })) {
    if (status !== 'active') {
      throw new FiskError('device_inactive', `the ${what} is ${status}`, { param: 'device_id' })
    }
  }
}

function originOf(device: Device, company: Company) {
  return {
    companyOib: company.oib,
    companyVatRegistered: company.vatRegistered,
    fiscalConfig: company.fiscalConfig,
    premisesCode: device.premisesCode,
    isuNumber: device.isuNumber,
    deviceConfig: device.deviceConfig,
  }
}

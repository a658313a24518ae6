import { hash, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { FiskError, notFound } from '../../domain/errors.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import { resolveConfigured } from '../../domain/sale/config-chain.ts'
import { deadlineOf } from '../../domain/sale/invoice.ts'
import { enter } from '../../domain/sale/journal.ts'
import { sequenceRegister } from '../../domain/sale/receipt-number.ts'
import { type ResolvedSale, resolveSale, type SaleRequest } from '../../domain/sale/resolve-sale.ts'
import { type ZkiInput, zkiText } from '../../domain/sale/zki-text.ts'
import { type Principal, reachesCompany, requireDevice, requireMode, requireScope } from '../access/principal.ts'
import { type Issued, lacksSales } from '../numbering/lost-sales.ts'
import { takeNumber } from '../numbering/take-number.ts'
import type { SigningIdentity } from '../ports/certificates.ts'
import type { ModeClocks, WatchedClock } from '../ports/clock.ts'
import { type Company, type Device, type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Spool } from '../ports/printing.ts'
import type { Origin } from '../ports/rows/sales.ts'
import { ClaimLost, DatabaseAway, Duplicate, KeyTaken, type Store, type StoreTransaction } from '../ports/store.ts'
import { originalOf } from '../printing/print-jobs.ts'
import { factsOf } from '../printing/receipts.ts'
import { type ReceiptLinks, receiptUrls } from '../receipt-links/links.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import type { SigningIdentities } from '../registry/signing-identities.ts'
import type { LookAtDisk } from './disk-space.ts'
import { earlierUse, type IdempotencyUse, type KeyClocks, keyTime, lockOf } from './idempotency.ts'
import { takeOverInterrupted } from './recover-pending.ts'
import { refundedReceipt } from './refunded-receipt.ts'
import { ATTEMPTS_IN_A_REQUEST, type BegunMessage, type Submitter } from './submit.ts'

export interface SaleCommand {
  principal: Principal
  request: SaleRequest
  idempotency: IdempotencyUse
  /** Renders the response that is stored for replay, with the outcome and the link to the receipt. */
  render: (invoice: Invoice, receiptUrl: string | undefined) => string
  /** The origin of the sale where it was read just now. */
  origin?: Origin | undefined
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
  store: Store
  identities: Pick<SigningIdentities, 'of'>
  submitter: Submitter
  keyLock: KeyedLock
  clock: WatchedClock & ModeClocks & KeyClocks
  newInvoiceId: () => string
  issued: Pick<Issued, 'note'>
  lookAtDisk: LookAtDisk
  /** Resolves when a number may be given out. */
  beforeNumber: () => Promise<void>
  /** The spool prints in the background; a sale never waits for it. */
  spool: Pick<Spool, 'prepare' | 'wake'>
  links: ReceiptLinks
}

export function createFiscalize(deps: FiscalizeDeps): Fiscalize {
  const { store, identities, submitter, keyLock, clock, newInvoiceId, issued, lookAtDisk, beforeNumber, spool, links } =
    deps

  async function fiscalize(command: SaleCommand): Promise<SaleResult> {
    const { principal, request, idempotency, render } = command
    const { scope, key } = idempotency
    const earlier = await earlierUse(store, idempotency, keyTime(clock, idempotency))
    if (earlier?.invoiceId) {
      const { invoiceId, response } = earlier
      if (response) return { invoiceId, body: response.body, replayed: true }
      // A crash interrupted the first request after the invoice was stored: return that, never create a second one.
      const invoice = await store.invoiceLock.run(invoiceId, () => takeOverInterrupted(store, invoiceId))
      const urlOf = await receiptUrls(links)
      const body = await store.idempotency.complete(scope, key, { status: 200, body: render(invoice, urlOf(invoice)) })
      return { invoiceId, body, replayed: true }
    }

    const origin = command.origin ?? (await findOrigin(store, principal, request.device_id))
    const { device, company } = origin
    requireOurs('device', device, 'device_id')
    const present = clock.of(company.mode).present()
    requireActive('device', device)
    requireActive('company', company)
    const sale = resolveSale(request, origin, present)
    const stornoOf = await refundedReceipt(store, company, sale)
    const isLinked = resolveConfigured('receipt_link', [device.deviceConfig, company.fiscalConfig]) === 'on'
    const makeLink = isLinked ? await links.maker() : null
    const identity = identities.of(company, origin.certificate, present, 'device_id')
    await requireRoom()
    await beforeNumber()
    submitter.expect(company.mode)
    const invoiceId = newInvoiceId()
    // Until its outcome is stored, the lock tells this sale from one whose sending was interrupted.
    const sold = await store.invoiceLock.runNew(invoiceId, async () => {
      const beside = { stornoOf, hasLink: makeLink !== null }
      const checked = { invoiceId, sale, beside, identity, device, company, idempotency, now: present.now }
      const stored = await storePending(checked)
      if (!stored) return undefined
      const { invoice, begun } = stored
      const noted = issued.note(invoice)
      const sold = await submitter
        .send(invoice, identity, {
          attempts: ATTEMPTS_IN_A_REQUEST,
          begun,
          onSent: () => spool.prepare(invoice),
          along: (decided) => ({
            response: { scope, key, status: 200, body: render(decided, makeLink?.(decided)) },
            receipt: originalOf(origin.printer, decided, clock.of(company.mode).present()) ?? null,
          }),
        })
        .catch(undefinedIfClaimLost)
      await noted
      return sold
    })
    // Another process has stored a sale with this key, or has taken over this one: answered like any other repetition.
    if (!sold) return fiscalize({ ...command, origin: undefined })
    const { invoice, along } = sold
    if (along.receipt?.status === 'queued') spool.wake({ job: along.receipt, invoice })
    await issued.note(invoice)
    return { invoiceId, body: along.response.body, replayed: false }
  }

  /** The remaining disk space is reserved for the outcomes of sales in progress. */
  async function requireRoom(): Promise<void> {
    const { room } = await lookAtDisk()
    if (room === 'no_sales') throw new FiskError('internal_error', 'the disk is full: no sale can be stored')
  }

  /**
   * The durability boundary: key, number, ZKI and invoice are on disk together before anything is sent.
   * @returns undefined when the key was taken meanwhile
   */
  async function storePending(checked: CheckedSale): Promise<PendingSale | undefined> {
    const { invoiceId, sale, beside, identity, device, company, idempotency, now } = checked
    const { document, year, occurredAt } = sale
    const { premisesCode, registerMark, companyOib } = document
    const register = sequenceRegister(document)
    const sequence = { companyId: company.id, mode: company.mode, premisesCode, year, register }
    const facts = { companyOib, occurredAt, premisesCode, registerMark, totalCents: sale.totalCents }
    let made: PendingSale | undefined
    const queue = `${company.id} ${company.mode} ${premisesCode}`
    try {
      return await store.transaction(async (tx) => {
        const state = await tx.sales.take(sequence)
        if (state.isBehind) throw lacksSales(premisesCode)
        const taker = { invoiceId, now }
        const { number, highest } = await takeNumber(tx, sequence, state, document.sequenceMark, sale.number, taker)
        const zki = await computeZki({ ...facts, number }, identity.privateKey)
        const invoice: Invoice = enter(state.last, {
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
          receipt: factsOf(company, device, sale, beside),
          numberSupplied: sale.number !== null,
          lateDelivery: sale.lateDelivery,
          attempts: 1,
          deadlineAt: deadlineOf(occurredAt),
          confirmedAt: null,
          createdAt: now,
          lastErrorClass: null,
          errorCode: null,
          errorMessage: null,
          deliveryFindings: null,
        })
        made = { invoice, begun: submitter.begin(invoice, identity) }
        const { scope, key, requestHash } = idempotency
        await tx.sales.insert({
          invoice,
          sequence,
          highest,
          use: { scope, key, requestHash, invoiceId, response: null },
          keyTime: keyTime(clock, idempotency),
          seenAt: now,
        })
        return made
      }, queue)
    } catch (error) {
      if (error instanceof KeyTaken) return undefined
      if (error instanceof DatabaseAway && made && (await isStored(made.invoice.id, idempotency)))
        return { invoice: made.invoice }
      if (!(error instanceof Duplicate) || sale.number === null) throw error
      throw new FiskError('invoice_already_exists', `number ${sale.number} is already used at this selling point`, {
        param: 'number',
        cause: error,
      })
    }
  }

  /** The answer to a commit was lost: the key says whether it was stored. */
  async function isStored(invoiceId: string, { scope, key }: IdempotencyUse): Promise<boolean> {
    await store.reach.back()
    return (await store.idempotency.get(scope, key, null))?.invoiceId === invoiceId
  }

  return async (command) => {
    requireScope(command.principal, 'invoices:write')
    const key = lockOf(command.idempotency)
    // What was read before a wait is out of date after it.
    const waits = await keyLock.isHeld(key)
    return keyLock.run(key, () => fiscalize(waits ? { ...command, origin: undefined } : command))
  }
}

function undefinedIfClaimLost(error: unknown): undefined {
  if (error instanceof ClaimLost) return undefined
  throw error
}

/** An invoice that is stored before it is sent, and its first message unless that was signed long ago. */
interface PendingSale {
  invoice: Invoice
  begun?: BegunMessage | undefined
}

interface CheckedSale {
  invoiceId: string
  sale: ResolvedSale
  /** The receipt that it takes back, as it is printed, and whether its own has a link. */
  beside: { stornoOf: string | undefined; hasLink: boolean }
  identity: SigningIdentity
  device: Device
  company: Company
  idempotency: IdempotencyUse
  now: number
}

/**
 * Before the body is validated, because `mode_mismatch` comes first; undefined for an unknown device, which
 * `findOrigin` reports later. @throws FiskError `mode_mismatch`
 */
export async function authorizeDevice(
  store: StoreTransaction,
  principal: Principal,
  deviceId: string,
): Promise<Origin | undefined> {
  const origin = await store.sales.origin(deviceId)
  if (origin?.device.tenantId !== principal.tenantId) return undefined
  if (!reachesCompany(principal, origin.device.companyId)) return undefined
  requireMode(principal, origin.company.mode, 'device_id')
  return origin
}

/** A sale's device and company. @throws FiskError 404, `mode_mismatch`, `insufficient_scope` for a bound key */
export async function findOrigin(store: StoreTransaction, principal: Principal, deviceId: string): Promise<Origin> {
  const origin = await authorizeDevice(store, principal, deviceId)
  if (!origin) throw notFound('device_id', 'there is no such device')
  requireDevice(principal, origin.device.id)
  return origin
}

function requireActive(what: 'device' | 'company', { status }: Device | Company): void {
  if (status === 'active') return
  throw new FiskError('device_inactive', `the ${what} is ${status}`, { param: 'device_id' })
}

const signAside = promisify(sign)

/** The ZKI (CIS specification, ch. 12): the MD5, in hex, of an RSASSA-PKCS1-v1_5 SHA-256 signature. MD5 is mandated. */
async function computeZki(sale: ZkiInput, privateKey: KeyObject): Promise<string> {
  const signature = await signAside('sha256', Buffer.from(zkiText(sale), 'utf8'), privateKey)
  return hash('md5', signature)
}

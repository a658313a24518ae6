import { setImmediate } from 'node:timers/promises'
import { notFound } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { LARGE_ROWS } from '../../domain/json-limits.ts'
import type { ConnectionBreak } from '../../domain/sale/connection-break.ts'
import { readSearch, type SearchedFor, type WantedNumber } from '../../domain/search-text.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import { heardAt, stateOf } from '../gateways/gateways.ts'
import { reportedBreaks } from '../gateways/heartbeat.ts'
import type { Clock } from '../ports/clock.ts'
import type { MessageOutline } from '../ports/invoice-lookups.ts'
import {
  type Company,
  type Device,
  type Invoice,
  LOCAL_GATEWAY,
  type MessageRecord,
  type PrintJob,
  type Sequence,
} from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import { failuresOf } from '../sales/failure-causes.ts'
import { findInvoice } from '../sales/read-invoices.ts'

export interface Found {
  /** How the text was interpreted; empty when it can be neither a number nor a code. */
  wanted: SearchedFor
  /** The latest sale first. */
  items: Invoice[]
  /** There are more matches; a narrower search would show them. */
  more: boolean
}

/** An invoice with everything that its page shows. */
export interface InvoiceFile {
  invoice: Invoice
  company: Company
  device: Device
  /** The gateway that issued it; null for an own invoice. */
  gateway: InvoiceGateway | null
  /** When the connection to the tax authority was broken at the machine that issued it. */
  breaks: readonly ConnectionBreak[]
  /** Its receipt and copies, the latest first. */
  prints: PrintJob[]
  /** The messages about it, the latest first. */
  messages: MessageSlice
}

export interface InvoiceGateway {
  name: string
  /** The last contact with it, when that is too long ago or when it does not report any more; else undefined. */
  silentSince?: EpochMs
}

export interface MessageSlice {
  items: MessageOutline[]
  /** The attempt to continue before; null when there are no more messages. */
  next: number | null
}

const MOST = 50
/** Sequences per query; each may find an invoice of 256 KB. */
const SEQUENCES = LARGE_ROWS
const MESSAGES = 20
const PRINTS = 20

export interface SearchDeps {
  store: Pick<Store, 'alerts' | 'breaks' | 'companies' | 'devices' | 'gateways' | 'invoices' | 'lookups'>
  clock: Pick<Clock, 'now'>
  /** Updates the statuses that change with time alone. */
  expireOverdue: () => Promise<void>
}

export function createSearch({ store, clock, expireOverdue }: SearchDeps) {
  async function numbered(
    { lookups }: Pick<StoreTransaction, 'lookups'>,
    principal: Principal,
    wanted: WantedNumber,
    into: Map<string, Invoice>,
  ): Promise<void> {
    for (let after: Sequence | null = null; ; ) {
      const { invoices, next } = await lookups.byNumber(principal, wanted, after, SEQUENCES)
      for (const invoice of invoices) {
        const { registerMark } = invoice.document
        if (wanted.registerMark === null || wanted.registerMark === registerMark) into.set(invoice.id, invoice)
      }
      // The number alone matches once per premises and year; only the latest matches are shown.
      keepLatest(into, MOST + 1)
      if (next === null) return
      after = next
      await setImmediate()
    }
  }

  async function placeOf(id: string): Promise<Pick<InvoiceFile, 'gateway' | 'breaks'>> {
    if (id === LOCAL_GATEWAY) return { gateway: null, breaks: await store.breaks.list() }
    const gateway = await store.gateways.get(id)
    if (gateway === undefined) return { gateway: { name: id }, breaks: [] }
    const isConnected = stateOf(gateway, clock.now()) === 'connected'
    const silent = !isConnected && { silentSince: heardAt(gateway) }
    return { gateway: { name: gateway.name, ...silent }, breaks: reportedBreaks(gateway) }
  }

  async function messagesOf(invoiceId: string, before: number | null): Promise<MessageSlice> {
    const outlines = await store.lookups.outlines(invoiceId, before, MESSAGES + 1)
    const items = outlines.slice(0, MESSAGES)
    return { items, next: outlines.length > MESSAGES ? (items.at(-1)?.attemptNo ?? null) : null }
  }

  return {
    /** @param text a number such as `123/POSL1/1`, a JIR or ZKI (8 characters suffice), or the text of a QR code */
    async find(principal: Principal, text: string): Promise<Found> {
      requireScope(principal, 'invoices:read')
      await expireOverdue()
      const wanted = readSearch(text)
      const { number, jir, zki, id } = wanted
      const found = new Map<string, Invoice>()
      const add = (invoices: Invoice[]) => invoices.forEach((invoice) => void found.set(invoice.id, invoice))
      if (id !== undefined) add([await store.invoices.get(id)].filter((invoice) => invoice !== undefined))
      if (jir !== undefined) add(await store.lookups.byJir(principal, jir, MOST + 1))
      if (zki !== undefined) add(await store.lookups.byZki(principal, zki, MOST + 1))
      if (number !== undefined) await numbered(store, principal, number, found)
      for (const invoice of found.values()) if (!isReachable(principal, invoice)) found.delete(invoice.id)
      keepLatest(found, MOST + 1)
      return { wanted, items: [...found.values()].slice(0, MOST), more: found.size > MOST }
    },
    /** @throws FiskError 404 */
    async file(principal: Principal, invoiceId: string): Promise<InvoiceFile> {
      await expireOverdue()
      const invoice = await findInvoice(store, principal, invoiceId)
      const company = await store.companies.get(invoice.companyId)
      const device = await store.devices.get(invoice.deviceId)
      if (!company || !device) throw new Error(`invoice ${invoiceId} has no company or device`)
      const place = await placeOf(invoice.gatewayId)
      const prints = await store.lookups.prints(invoiceId, PRINTS)
      return { invoice, company, device, ...place, prints, messages: await messagesOf(invoiceId, null) }
    },
    /** @param before continue with attempts before this one @throws FiskError 404 */
    async messages(principal: Principal, invoiceId: string, before: number): Promise<MessageSlice> {
      await findInvoice(store, principal, invoiceId)
      return messagesOf(invoiceId, before)
    },
    /** A message with its XML. @throws FiskError 404 */
    async message(principal: Principal, invoiceId: string, messageId: string): Promise<MessageRecord> {
      await findInvoice(store, principal, invoiceId)
      const message = await store.lookups.message(messageId)
      if (message?.invoiceId !== invoiceId) throw notFound('message', 'there is no such message')
      return message
    },
    failures: (principal: Principal) => failuresOf(store, principal),
    /** Own invoices with an untrusted JIR. */
    async parked(principal: Principal): Promise<Parked> {
      requireScope(principal, 'invoices:read')
      return parkedOf(store, principal)
    },
  }
}

function isReachable(principal: Principal, invoice: Invoice): boolean {
  const { tenantId, mode, deviceId } = principal
  return (
    reachesCompany(principal, invoice.companyId) &&
    invoice.tenantId === tenantId &&
    (mode === null || mode === invoice.mode) &&
    (deviceId === null || deviceId === invoice.deviceId)
  )
}

function keepLatest(found: Map<string, Invoice>, count: number): void {
  const latest = [...found.values()].sort((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1))
  found.clear()
  for (const invoice of latest.slice(0, count)) found.set(invoice.id, invoice)
}

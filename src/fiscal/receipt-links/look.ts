import type { EpochMs } from '../../domain/instant.ts'
import { LINK_DAYS, resolveConfigured } from '../../domain/sale/config-chain.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Context } from '../context.ts'
import { type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { ReceiptDrawing } from '../ports/printing.ts'
import type { LinkedReceipt } from '../ports/receipt-links.ts'
import { receiptOf, settingsFor } from '../printing/receipts.ts'
import { markOf, readToken } from './link.ts'
import type { LinkKeys } from './links.ts'

/** What a customer gets to see. Who makes links up, or has one that has ended, learns nothing but `refused`. */
export type Looked =
  | { kind: 'refused' }
  /** The link is genuine, and the sale has not been told by its gateway yet. */
  | { kind: 'on_its_way' }
  | { kind: 'shown'; invoice: Invoice; receipt: Receipt; until: EpochMs }

const DAY_MS = 24 * 60 * 60_000
const REFUSED = { kind: 'refused' } as const
/** A key that no link is made with. */
const NO_GATEWAY = 'no gateway'
const MARKS_AGAIN_MS = 10_000

/** When the link to a receipt ends by itself. */
export function endOfLink({ invoice, company }: Pick<LinkedReceipt, 'invoice' | 'company'>): EpochMs {
  const days = Number(resolveConfigured('receipt_link_days', [company.fiscalConfig]) ?? LINK_DAYS.usual)
  return invoice.createdAt + days * DAY_MS
}

interface Deps extends Context {
  drawing: ReceiptDrawing
  keys: LinkKeys
  /** Resolves when the database knows of all withdrawals. */
  ready(): Promise<void>
}

export function createLook({ store, clock, drawing, keys, ready }: Deps) {
  const gatewayOf = readMarks(() => store.receiptLinks.gatewayIds())
  return {
    /** The same steps for every text, so that neither answer nor time tells which texts are links. */
    async look(token: string): Promise<Looked> {
      const { mark, invoiceId, isMadeWith } = readToken(token)
      await ready()
      const keyOf = await keys()
      if (!keyOf) throw new Error('the secret of links to receipts was sealed with another vault key')
      const gatewayId = await gatewayOf(mark)
      const isGenuine = isMadeWith(keyOf(gatewayId ?? NO_GATEWAY)) && gatewayId !== undefined
      const { found, allBefore } = await store.receiptLinks.find(invoiceId)
      if (!isGenuine) return REFUSED
      if (!found) {
        const soldAt = Number.parseInt(invoiceId.slice('inv_'.length, 'inv_'.length + 12), 16)
        const isOver = soldAt < (allBefore ?? 0) || soldAt + LINK_DAYS.most * DAY_MS < clock.now()
        return isOver ? REFUSED : { kind: 'on_its_way' }
      }
      const { company, original, withdrawnAt } = found
      const until = endOfLink(found)
      const isOver = withdrawnAt !== null || company.status === 'archived' || until <= clock.now()
      if (isOver || found.invoice.gatewayId !== gatewayId) return REFUSED
      const invoice = await store.invoices.get(invoiceId)
      if (!invoice?.receipt?.hasLink) return REFUSED
      // What came out of a printer, or was given out over `/v1`, is the original; a customer who looks again uses up nothing.
      const isOriginal = original === null || (original.status === 'expired' && original.begunAt === null)
      return {
        kind: 'shown',
        invoice,
        receipt: await receiptOf(store, invoice, isOriginal ? null : 'uncounted'),
        until,
      }
    },
    /** The receipt in 32 columns, which a narrow phone shows, without its QR code. */
    async text({ invoice, receipt }: { invoice: Invoice; receipt: Receipt }): Promise<string> {
      const settings = await settingsFor({ store, drawing }, invoice, 'screen', 32)
      return (await drawing.form('screen', receipt, settings)).toString('utf8')
    },
  }
}

/** By mark, the gateway; an unknown one is looked for again, and not more often than it must be. */
function readMarks(gatewayIds: () => Promise<string[]>) {
  let marks = new Map<string, string>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  async function read(): Promise<void> {
    const ids = [LOCAL_GATEWAY, ...(await gatewayIds())]
    marks = new Map(ids.map((id) => [markOf(id), id]))
    readAt = performance.now()
  }
  return async (mark: string): Promise<string | undefined> => {
    if (!marks.has(mark) && !reading && performance.now() - readAt >= MARKS_AGAIN_MS) {
      reading = read().finally(() => {
        reading = undefined
      })
    }
    await reading
    return marks.get(mark)
  }
}

import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import { LINK_DAYS, resolveConfigured } from '../../domain/sale/config-chain.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Context } from '../context.ts'
import { type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { ReceiptDrawing } from '../ports/printing.ts'
import type { LinkedReceipt } from '../ports/receipt-links.ts'
import { isNotGivenOut } from '../printing/print-jobs.ts'
import { receiptOf, settingsFor } from '../printing/receipts.ts'
import { markOf, readToken } from './link.ts'
import type { LinkKeys } from './links.ts'

/** What a customer gets to see. Who makes links up, or has one that has ended, learns nothing but `refused`. */
export type Looked =
  | { kind: 'refused' }
  /** The link is genuine, and the sale has not been told by its gateway yet. */
  | { kind: 'on_its_way' }
  | { kind: 'shown'; invoice: Invoice; receipt: Receipt; until: EpochMs }

const REFUSED = { kind: 'refused' } as const
/** A key that no link is made with. */
const NO_GATEWAY = 'no gateway'
const MARKS_AGAIN_MS = 10_000

/** How a link is, whoever has it; `until` it ends by itself. */
export type LinkState =
  | { kind: 'open'; until: EpochMs }
  | { kind: 'ended' | 'withdrawn'; at: EpochMs }
  | { kind: 'archived' }

export function linkState({ invoice, company, withdrawnAt }: LinkedReceipt, now: EpochMs): LinkState {
  if (withdrawnAt !== null) return { kind: 'withdrawn', at: withdrawnAt }
  if (company.status === 'archived') return { kind: 'archived' }
  const days = Number(resolveConfigured('receipt_link_days', [company.fiscalConfig]) ?? LINK_DAYS.usual)
  const until = invoice.createdAt + days * DAY_MS
  return until <= now ? { kind: 'ended', at: until } : { kind: 'open', until }
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
      const state = linkState(found, clock.now())
      if (state.kind !== 'open' || found.invoice.gatewayId !== gatewayId) return REFUSED
      const invoice = await store.invoices.get(invoiceId)
      if (!invoice?.receipt?.hasLink) return REFUSED
      // A customer who looks again uses up nothing.
      const copy = isNotGivenOut(found.original) ? null : 'uncounted'
      return { kind: 'shown', invoice, receipt: await receiptOf(store, invoice, copy), until: state.until }
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

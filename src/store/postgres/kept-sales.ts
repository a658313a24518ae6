import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { NO_SEAL, sealText } from '../../domain/sale/journal.ts'
import { higherReceiptNumber } from '../../domain/sale/receipt-number.ts'
import type { IdempotencyRecord, Invoice, Journal } from '../../fiscal/ports/model.ts'
import { Duplicate, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { invoiceRow, progressRow, toInvoice } from '../shared/invoices/invoices.ts'
import type { Tables } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

export interface KeptSale {
  row: ReturnType<typeof invoiceRow>
  /** Of its key; null where this process has sent a sale of another one. */
  use: IdempotencyRecord | null
  /** Up to where it raised its sequence. */
  highest: string
}

export type KeptSales = ReturnType<typeof keepSales>

const MOST_SALES = 2_000
const MOST_BYTES = 16 * 1024 * 1024

/** The latest sales of this process, in case the database loses them. What was said about them is not kept. */
export function keepSales() {
  /** The oldest first. */
  const sales = new Map<string, KeptSale>()
  let bytes = 0

  function keep(id: string, sale: KeptSale): void {
    forget(id)
    sales.set(id, sale)
    bytes += sizeOf(sale)
    for (const oldest of sales.keys()) {
      if (sales.size <= MOST_SALES && bytes <= MOST_BYTES) return
      forget(oldest)
    }
  }

  function forget(id: string): void {
    const sale = sales.get(id)
    if (sale) bytes -= sizeOf(sale)
    sales.delete(id)
  }

  const of = ({ companyId, mode, premisesCode }: Journal) =>
    [...sales.values()].filter(
      ({ row }) => row.companyId === companyId && row.mode === mode && row.premisesCode === premisesCode,
    )

  return {
    /** Call it when the sale is committed: one that may not be stored is not kept. */
    stored: (sale: KeptSale): void => keep(sale.row.id, sale),
    /** @param response as it is stored for replay */
    progressed(invoice: Invoice, response: IdempotencyRecord['response']): void {
      const { row, use = null, highest = invoice.document.number } = sales.get(invoice.id) ?? {}
      const latest = row ? { ...row, ...progressRow(invoice) } : invoiceRow(invoice)
      keep(invoice.id, { row: latest, use: use && response ? { ...use, response } : use, highest })
    },
    /** Whether a sale is kept whose place is after this end of a journal. */
    areAfter: (journal: Journal, position: number): boolean =>
      of(journal).some(({ row }) => row.journalPosition > position),
    /**
     * In a transaction: stores again what follows the end of a journal, one after the other. Each sale is sealed with the one
     * before it, so another process may have to store its own first. A sale in the place of one of these is never sent.
     * @returns how many
     */
    async storeAgain(trx: Db, rows: StoreTransaction, journal: Journal): Promise<number> {
      const kept = of(journal)
      await rows.numbering.lockPremises(journal)
      const before = await endOf(trx, journal)
      const end = { ...before }
      for (;;) {
        const next = kept.find(
          ({ row }) =>
            row.journalPosition === end.position + 1 && hash('sha256', sealText(invoiceOf(row), end.seal)) === row.seal,
        )
        if (!next) break
        await storeOne(rows, next)
        Object.assign(end, { position: next.row.journalPosition, seal: next.row.seal })
      }
      if (end.position > before.position) await trx.updateTable('journals').set(end).where(isOf(journal)).execute()
      const taken = kept.filter(({ row }) => row.journalPosition <= before.position)
      if (taken.length > 0) {
        await leaveUnsent(trx, journal, taken)
        await applyProgress(trx, rows, taken)
      }
      return end.position - before.position
    },
  }
}

/** About so many bytes: the texts that grow with a sale, of two bytes a letter, and what every one has. */
const sizeOf = ({ row, use }: KeptSale) =>
  2 * (row.document.length + (row.receipt?.length ?? 0) + (use?.response?.body.length ?? 0)) + 2_000

const invoiceOf = (row: KeptSale['row']) => toInvoice(row as Selectable<Tables['invoices']>)

const isOf = ({ companyId, mode, premisesCode }: Journal) =>
  sql<boolean>`company_id = ${companyId} AND mode = ${mode} AND premises_code = ${premisesCode}`

async function endOf(trx: Db, journal: Journal): Promise<{ position: number; seal: string }> {
  const end = trx.selectFrom('journals').select(['position', 'seal']).where(isOf(journal))
  return (await end.executeTakeFirst()) ?? { position: 0, seal: NO_SEAL }
}

/**
 * What stands in the place of a sale that was acknowledged was committed by a database that had stopped for a while, and
 * whose answer nobody got: its number is of the other one, and it must never be sent.
 */
async function leaveUnsent(trx: Db, journal: Journal, acknowledged: readonly KeptSale[]): Promise<void> {
  const seals = acknowledged.map(({ row }) => ({ position: row.journalPosition, seal: row.seal }))
  await trx
    .updateTable('invoices')
    .set({ status: 'expired', errorMessage: NEVER_SENT })
    .where(isOf(journal))
    .where('status', '=', 'pending')
    .where(sql<boolean>`gateway_id = '' AND EXISTS (
      SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(seals)}::jsonb) AS known (position bigint, seal text)
      WHERE known.position = journal_position AND known.seal <> invoices.seal)`)
    .execute()
}

/** The database may have a sale without its outcome, which the machine was told. */
async function applyProgress(trx: Db, rows: StoreTransaction, sales: readonly KeptSale[]): Promise<void> {
  const confirmed = new Map(sales.filter(({ row }) => row.jir !== null).map((sale) => [sale.row.seal, sale]))
  if (confirmed.size === 0) return
  const lacking = await trx
    .selectFrom('invoices')
    .select(['id', 'seal'])
    .where(
      'id',
      'in',
      [...confirmed.values()].map(({ row }) => row.id),
    )
    .where('jir', 'is', null)
    .execute()
  for (const { id, seal } of lacking) {
    const sale = confirmed.get(seal)
    if (!sale) continue
    const { row, use } = sale
    await rows.invoices.progress(id, invoiceOf(row))
    if (use?.response) await rows.idempotency.complete(use.scope, use.key, use.response)
  }
}

const NEVER_SENT = 'PostgreSQL went back in time: another sale has this number, and this one was never sent or answered'

async function storeOne({ numbering, invoices, idempotency }: StoreTransaction, sale: KeptSale): Promise<void> {
  const invoice = invoiceOf(sale.row)
  const { id, companyId, mode, year, document, createdAt } = invoice
  const sequence = { companyId, mode, premisesCode: document.premisesCode, year, register: sale.row.sequenceRegister }
  if ((await numbering.level(sequence)) === undefined) await numbering.setLevel(sequence, document.sequenceMark)
  await numbering.setHighest(sequence, higherReceiptNumber(await numbering.highest(sequence), sale.highest))
  if (BigInt(document.number) > BigInt(sale.highest)) {
    await numbering.noteAhead([{ ...sequence, number: document.number, invoiceId: id, notedAt: createdAt }])
  }
  // Nobody sends it any more: the queue does.
  await invoices.insert(invoice.status === 'pending' ? { ...invoice, status: 'retrying' } : invoice)
  if (sale.use) {
    await idempotency.insert(sale.use, null).catch((error: unknown) => {
      // The database still has the use of the key.
      if (!(error instanceof Duplicate)) throw error
    })
  }
}

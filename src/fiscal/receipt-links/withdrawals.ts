import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import type { JsonObject } from '../ports/model.ts'
import type { Withdrawal, WithdrawalFile } from '../ports/receipt-links.ts'
import { findCompany } from '../registry/companies.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import { type ReceiptLinks, receiptUrls } from './links.ts'
import { type LinkState, linkState } from './look.ts'

interface Deps extends CreatingContext {
  links: ReceiptLinks
  file: WithdrawalFile
}

export type WithdrawalUseCases = Omit<ReturnType<typeof createWithdrawals>, 'ready'>

export function createWithdrawals({ store, clock, newUuid, links, file }: Deps) {
  let known: Withdrawal[] = []
  let merged: Promise<void> | undefined
  let writing = Promise.resolve()

  /** What the file has and the database lacks is a backup's loss; the other way round, another machine's. */
  async function merge(): Promise<void> {
    const inFile = (await file.read()) ?? []
    for (const one of inFile) await store.receiptLinks.withdraw(one)
    known = await store.receiptLinks.withdrawals()
    await file.write(known)
  }

  /** Resolves when file and database know the same; tried again after a failure. */
  function ready(): Promise<void> {
    merged ??= merge().catch((error: unknown) => {
      merged = undefined
      throw error
    })
    return merged
  }

  /** One after another: each write is the whole file. */
  function addToFile(withdrawal: Withdrawal): Promise<void> {
    const written = writing.then(async () => {
      await file.write([...known, withdrawal])
      known.push(withdrawal)
    })
    writing = written.catch(() => {})
    return written
  }

  async function withdraw(
    principal: Principal,
    what: Pick<Withdrawal, 'invoiceId' | 'companyId'>,
    detail: JsonObject,
    keep?: Keep<void>,
  ): Promise<void> {
    await ready()
    const at = clock.now()
    const withdrawal = { id: newUuid(), ...what, soldBefore: at, at, withdrawnBy: principal.id }
    // First the file: what the database has alone, a restore takes back.
    await addToFile(withdrawal)
    await keeping(store, keep, async (tx) => {
      await tx.receiptLinks.withdraw(withdrawal)
      await audit(tx, principal, at, 'receipt_link.withdrawn', detail)
    })
  }

  return {
    ready,
    /** The link of one receipt ends now. @throws FiskError `insufficient_scope`, 404 */
    async withdrawLink(principal: Principal, invoiceId: string, keep?: Keep<void>): Promise<void> {
      requireScope(principal, 'invoices:write')
      const { id, companyId } = await findInvoice(store, principal, invoiceId)
      await withdraw(principal, { invoiceId: id, companyId }, { id, company_id: companyId }, keep)
    },
    /** The links to all receipts of a company up to now end. @throws FiskError `insufficient_scope`, 404 */
    async withdrawLinks(principal: Principal, companyId: string, keep?: Keep<void>): Promise<void> {
      requireScope(principal, 'invoices:write')
      const { id, oib } = await findCompany(store, principal, companyId, 'id')
      await withdraw(principal, { invoiceId: null, companyId: id }, { company_id: id, oib }, keep)
    },
    /** @returns null for a receipt without a link @throws FiskError 404 */
    async stateOf(principal: Principal, invoiceId: string): Promise<(LinkState & { url: string }) | null> {
      const invoice = await findInvoice(store, principal, invoiceId)
      const url = (await receiptUrls(links))(invoice)
      const { found } = await store.receiptLinks.find(invoice.id)
      return url !== undefined && found ? { ...linkState(found, clock.now()), url } : null
    },
  }
}

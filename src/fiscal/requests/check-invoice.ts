import { invalidRequest } from '../../domain/errors.ts'
import { type FindingCode, findingsOf, findingsOfDelivery } from '../../domain/sale/findings.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { UpstreamError } from '../ports/tax-authority.ts'
import { findCompany } from '../registry/companies.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import type { RequestSender } from './request-sender.ts'

/** What fiskd and the tax authority find in a sale, were it delivered now. */
export interface CheckedInvoice {
  invoiceId: string
  ours: FindingCode[]
  /** Verbatim, without `v100` (nothing found); null when no answer was believed. */
  theirs: UpstreamError[] | null
  /** Null when they cannot be compared: no answer was believed, or the authority refused the message itself. */
  isAlike: boolean | null
  /** Why no answer was believed, and what it claims; null when one was. */
  problem: { message: string; hearsay: UpstreamError[] } | null
}

const NOTHING_FOUND = 'v100'
const codeOf = ({ code }: UpstreamError) => code.toLowerCase()

/**
 * Has the test service of the tax authority look at an invoice (`provjera`). Nothing is delivered and nothing is stored.
 * @throws FiskError 404 for an unknown invoice, `invalid_request` for one of live mode, or why nothing can be signed
 */
export async function checkInvoice(
  { store, sender }: Pick<Context, 'store'> & { sender: RequestSender },
  principal: Principal,
  invoiceId: string,
): Promise<CheckedInvoice> {
  requireScope(principal, 'invoices:write')
  const invoice = await findInvoice(store, principal, invoiceId)
  requireOurs('invoice', invoice, 'id')
  const { id, mode, document, lateDelivery } = invoice
  if (mode !== 'test') throw invalidRequest('id', 'the tax authority checks sales in test mode only')
  const company = await findCompany(store, principal, invoice.companyId)
  const { sentAt, answer, answeredAt } = await sender.ask(company, { operation: 'provjera', document, lateDelivery })
  const ours = [...findingsOf(document), ...findingsOfDelivery(document, { sentAt, arrivedAt: answeredAt ?? sentAt })]
  const checked = { invoiceId: id, ours: ours.sort() }
  if (answer.kind === 'unknown') return { ...checked, theirs: null, isAlike: null, problem: answer }
  const theirs = answer.kind === 'refused' ? answer.errors.filter((error) => codeOf(error) !== NOTHING_FOUND) : []
  const isRefused = theirs.some((error) => !codeOf(error).startsWith('v'))
  const codes = [...new Set(theirs.map(codeOf))].sort()
  return { ...checked, theirs, isAlike: isRefused ? null : codes.join() === ours.join(), problem: null }
}

import type { EpochMs } from '../../domain/instant.ts'
import type { FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { authorityWordsIn, type RestrictiveCode, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { MODES } from '../../domain/sale/sale.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import { slicesOf } from '../in-slices.ts'
import type { Unconfirmed } from '../ports/invoice-lookups.ts'
import { LOCAL_GATEWAY } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Failed invoices with the same cause, which an operator must remove. */
export interface FailureCause {
  /** Null when no code was stored. */
  code: FiscalErrorCode | null
  /** The number of own invoices, which can be requeued here. */
  ours: number
  /** The number of invoices from gateways, which only the gateways can send, and the ids of these gateways. */
  ofGateways: number
  gatewayIds: string[]
  /** The earliest deadline. */
  nextDeadlineAt: EpochMs
  /** The tax authority's error text about the latest invoice; null when it did not answer. */
  answer: string | null
  /** The restrictive codes in the `s013` errors of these invoices, in no order. */
  restrictiveCodes: RestrictiveCode[]
}

/** Rows per query; takes a few milliseconds on a small board. */
const SLICE = 500

async function* failed(store: Pick<StoreTransaction, 'lookups'>, { tenantId, mode, companyIds }: Principal) {
  for (const one of mode === null ? MODES : [mode]) {
    yield* slicesOf(SLICE, (last: Unconfirmed | undefined) => {
      const after = last && { at: last.occurredAt, id: last.id }
      return store.lookups.unconfirmed({ tenantId, mode: one, companyIds, status: 'failed' }, { limit: SLICE, after })
    })
  }
}

/** The most frequent first. @throws FiskError `insufficient_scope` */
export async function failuresOf(store: Pick<StoreTransaction, 'lookups'>, principal: Principal) {
  requireScope(principal, 'invoices:read')
  type Found = Omit<FailureCause, 'answer' | 'gatewayIds' | 'restrictiveCodes'> & {
    gateways: Set<string>
    codes: Set<RestrictiveCode>
    latestId: string
  }
  const causes = new Map<FiscalErrorCode | null, Found>()
  for await (const rows of failed(store, principal)) {
    for (const { id: latestId, errorCode: code, errorMessage, gatewayId, deadlineAt } of rows) {
      const cause: Found = causes.get(code) ?? {
        code,
        ours: 0,
        ofGateways: 0,
        nextDeadlineAt: deadlineAt,
        latestId,
        gateways: new Set(),
        codes: new Set(),
      }
      causes.set(code, cause)
      if (gatewayId === LOCAL_GATEWAY) cause.ours++
      else {
        cause.ofGateways++
        cause.gateways.add(gatewayId)
      }
      for (const named of restrictiveCodesIn(errorMessage)) cause.codes.add(named)
      cause.nextDeadlineAt = Math.min(cause.nextDeadlineAt, deadlineAt)
      cause.latestId = latestId
    }
  }
  const told: FailureCause[] = []
  for (const { latestId, gateways, codes, ...cause } of causes.values()) {
    const [latest] = await store.lookups.outlines(latestId, null, 1)
    told.push({
      ...cause,
      gatewayIds: [...gateways],
      restrictiveCodes: [...codes],
      answer: authorityWordsIn(latest?.errorMessage ?? null),
    })
  }
  const countOf = ({ ours, ofGateways }: FailureCause) => ours + ofGateways
  return told.sort((a, b) => countOf(b) - countOf(a))
}

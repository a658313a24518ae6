import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { SkippedRequest } from '../wire/messages.ts'
import { decodeNumber } from '../wire/numbers.ts'
import { companyIdsOf } from './company-ids.ts'

/**
 * Raises the highest numbers at the premises of a gateway to where the machine that replaces it goes on. Otherwise the next
 * replacement skips the same numbers again, and gives out those of a machine that broke before it told of any sale. Numbers
 * of foreign premises and numbers out of reach are ignored, as from invoices.
 */
export async function keepSkippedNumbers(
  store: Pick<Store, 'companies' | 'transaction'>,
  gateway: Pick<GatewayRecord, 'id' | 'tenantId'>,
  { numbers }: SkippedRequest,
): Promise<void> {
  const told = numbers.map((one) => decodeNumber(one))
  const { here } = await companyIdsOf(
    store,
    gateway.tenantId,
    told.map(({ companyId }) => companyId),
  )
  await store.transaction(async (tx) => {
    await tx.subjects.hold(`gateway ${gateway.id}`)
    const claims = await tx.gateways.claims.ofGateway(gateway.id)
    const held = new Set(claims.map(({ companyId, premisesCode }) => `${companyId}/${premisesCode}`))
    const own = told
      .map(({ level: _level, ...number }) => ({ ...number, companyId: here(number.companyId) }))
      .filter(({ companyId, premisesCode }) => held.has(`${companyId}/${premisesCode}`))
    await tx.numbering.lockPremises(...own)
    for (const { highest, ...sequence } of own) {
      const before = await tx.numbering.highest(sequence)
      const isHigher = BigInt(highest) > BigInt(before ?? 0)
      if (isHigher && isWithinReach(highest, before)) await tx.numbering.setHighest(sequence, highest)
    }
  })
}

import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import { sequenceKey } from '../../fiscal/ports/model.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { SkippedRequest } from '../wire/messages.ts'
import { decodeNumber } from '../wire/numbers.ts'
import { companyIdsOf } from './company-ids.ts'

/**
 * Raises the highest numbers at the premises of a gateway to where the machine that replaces it goes on. Otherwise the next
 * replacement skips the same numbers again, and gives out those of a machine that broke before it told of any sale. Numbers
 * of foreign premises and numbers out of reach are ignored, as from invoices. Reach counts from what stood before the
 * request: behind a number of an invoice stands a sale, behind these nothing, so none brings the next one within reach.
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
    const before = new Map<string, string | undefined>()
    for (const one of own) before.set(sequenceKey(one), await tx.numbering.highest(one))
    for (const { highest, ...sequence } of own) {
      if (!isWithinReach(highest, before.get(sequenceKey(sequence)))) continue
      const isHigher = BigInt(highest) > BigInt((await tx.numbering.highest(sequence)) ?? 0)
      if (isHigher) await tx.numbering.setHighest(sequence, highest)
    }
  })
}

import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { OURS } from '../../fiscal/model.ts'
import type { StoreTransaction } from '../../fiscal/store-port.ts'
import type { GatewayRecord, Premises, PremisesClaim } from '../../fiscal/sync-port.ts'

const keyOf = ({ companyId, premisesCode }: Premises) => `${companyId}/${premisesCode}`

/**
 * Gives a gateway the premises that nobody holds; in a transaction that no other one overlaps.
 * @returns those that others hold, and nobody of another tenant is named
 */
export async function claimFree(
  tx: StoreTransaction,
  gateway: Pick<GatewayRecord, 'id' | 'tenantId'>,
  premises: readonly Premises[],
  at: EpochMs,
): Promise<(Premises & { holder: string })[]> {
  const holders = await tx.gateways.claims.holders(premises)
  const held = new Map(holders.map((claim) => [keyOf(claim), claim]))
  const foreign = await foreignCompanies(tx, gateway.tenantId, premises)
  const isFree = (one: Premises) => !held.has(keyOf(one)) && !foreign.has(one.companyId)
  await tx.gateways.claims.add(premises.filter(isFree), gateway.id, at)
  const taken = premises.filter((one) => !isFree(one) && held.get(keyOf(one))?.gatewayId !== gateway.id)
  const names = await holderNames(tx, gateway.tenantId, holders)
  return taken.map((one) => ({
    ...one,
    holder: foreign.has(one.companyId) ? SOMEBODY : (names.get(held.get(keyOf(one))?.gatewayId ?? OURS) ?? SOMEBODY),
  }))
}

const SOMEBODY = 'somebody else'

/** Names of holders for people. */
export async function holderNames(
  tx: Pick<StoreTransaction, 'gateways'>,
  tenantId: string,
  claims: readonly PremisesClaim[],
): Promise<Map<string, string>> {
  const ids = [...new Set(claims.map(({ gatewayId }) => gatewayId))].filter((id) => id !== OURS)
  const names = new Map([[OURS, 'this server']])
  for (const id of ids) {
    const gateway = await tx.gateways.get(id)
    names.set(id, gateway?.tenantId === tenantId ? `the gateway ${gateway.name}` : SOMEBODY)
  }
  return names
}

async function foreignCompanies(tx: StoreTransaction, tenantId: string, premises: readonly Premises[]) {
  const foreign = new Set<string>()
  for (const id of new Set(premises.map(({ companyId }) => companyId))) {
    const company = await tx.companies.get(id)
    if (company && company.tenantId !== tenantId) foreign.add(id)
  }
  return foreign
}

export function premisesTaken({ premisesCode, holder }: Premises & { holder: string }): FiskError {
  return new FiskError(
    'premises_owned_by_gateway',
    `premises ${premisesCode} belongs to ${holder}: two that number receipts there would issue a number twice`,
    { param: 'premises' },
  )
}

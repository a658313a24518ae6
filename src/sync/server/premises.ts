import { companyIdOf } from '../../domain/company-id.ts'
import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { premisesHeld } from '../../domain/premises/owned-by-gateway.ts'
import { type GatewayRecord, type Premises, type PremisesClaim, premisesKey } from '../../fiscal/ports/gateways.ts'
import { LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'

const MOST_CLAIMS = SYNC_BOUNDS.claims.most

/** A premises that the gateway does not hold, and its holder's name; null when the gateway holds too many already. */
export type TakenPremises = Premises & { holder: string | null }

type Claimant = Pick<GatewayRecord, 'id' | 'tenantId' | 'companies'>

/**
 * Gives a gateway the free premises, up to its limit. Without a free one it waits for no other transaction.
 * @returns the premises that it does not hold now; holders of other tenants are not named
 */
export async function claimPremises(
  store: Pick<Store, 'companies' | 'gateways' | 'transaction'>,
  { id }: Pick<GatewayRecord, 'id'>,
  premises: readonly Premises[],
  now: () => EpochMs,
): Promise<TakenPremises[]> {
  const known = await store.gateways.get(id)
  if (!known) throw unknownGateway()
  const { free, taken } = await lookAt(store, known, premises)
  if (free.length === 0) return taken
  return store.transaction(async (tx) => {
    await tx.subjects.hold('premises')
    const gateway = await tx.gateways.get(id)
    if (!gateway) throw unknownGateway()
    // Its premises may just have been released.
    if (gateway.revokedAt !== null) {
      throw new FiskError('gateway_revoked', `the gateway ${gateway.name} was revoked`)
    }
    return claimFree(tx, gateway, premises, now())
  })
}

export const unknownGateway = () => new FiskError('gateway_unknown', 'this server knows no such gateway')

/** As `claimPremises`, in a transaction that holds `premises`. */
export async function claimFree(
  tx: Pick<StoreTransaction, 'companies' | 'gateways'>,
  gateway: Claimant,
  premises: readonly Premises[],
  at: EpochMs,
): Promise<TakenPremises[]> {
  const { claims } = tx.gateways
  const { free, taken } = await lookAt(tx, gateway, premises)
  const room = free.length === 0 ? 0 : Math.max(0, MOST_CLAIMS - (await claims.count(gateway.id)))
  await claims.add(free.slice(0, room), gateway.id, at)
  return [...taken, ...free.slice(room).map((one) => ({ ...one, holder: null }))]
}

/** Which premises nobody holds, and which another seller does. */
async function lookAt(
  tx: Pick<StoreTransaction, 'companies' | 'gateways'>,
  gateway: Claimant,
  premises: readonly Premises[],
): Promise<{ free: Premises[]; taken: TakenPremises[] }> {
  const { claims } = tx.gateways
  const holders = await claims.holders(premises, gateway.tenantId)
  const held = new Map(holders.map((claim) => [premisesKey(claim), claim.gatewayId]))
  const foreign = await foreignCompanies(tx, gateway, premises)
  const free = premises.filter((one) => !held.has(premisesKey(one)) && !foreign.has(one.companyId))
  const names = await holderNames(tx, gateway.tenantId, holders)
  const others = premises.filter(
    (one) => foreign.has(one.companyId) || (held.get(premisesKey(one)) ?? gateway.id) !== gateway.id,
  )
  const taken = others.map((one) => ({
    ...one,
    holder: foreign.has(one.companyId)
      ? SOMEBODY
      : (names.get(held.get(premisesKey(one)) ?? LOCAL_GATEWAY) ?? SOMEBODY),
  }))
  return { free, taken }
}

const SOMEBODY = 'somebody else'

/** The names of the holders of claims, by gateway id, for messages. */
export async function holderNames(
  tx: Pick<StoreTransaction, 'gateways'>,
  tenantId: string,
  claims: readonly PremisesClaim[],
): Promise<Map<string, string>> {
  const ids = [...new Set(claims.map(({ gatewayId }) => gatewayId))].filter((id) => id !== LOCAL_GATEWAY)
  const names = new Map([[LOCAL_GATEWAY, 'this server']])
  for (const id of ids) {
    const gateway = await tx.gateways.get(id)
    names.set(id, gateway?.tenantId === tenantId ? `the gateway ${gateway.name}` : SOMEBODY)
  }
  return names
}

/** The companies of other tenants, and those that the gateway was not set up to sell for. */
async function foreignCompanies(
  tx: Pick<StoreTransaction, 'companies'>,
  gateway: Pick<GatewayRecord, 'tenantId' | 'companies'>,
  premises: readonly Premises[],
) {
  const own = await companiesOf(tx, gateway)
  const foreign = new Set<string>()
  for (const id of new Set(premises.map(({ companyId }) => companyId))) {
    const company = await tx.companies.get(id)
    if ((company && company.tenantId !== gateway.tenantId) || own?.has(id) === false) foreign.add(id)
  }
  return foreign
}

/** The ids here of what a gateway may sell for; null for all of its tenant. */
export async function companiesOf(
  tx: Pick<StoreTransaction, 'companies'>,
  { tenantId, companies }: Pick<GatewayRecord, 'tenantId' | 'companies'>,
): Promise<ReadonlySet<string> | null> {
  if (companies === null) return null
  const ids = new Set<string>()
  for (const oib of companies) ids.add(await tx.companies.idWithin(tenantId, companyIdOf(oib)))
  return ids
}

export function premisesTaken({ premisesCode, holder }: TakenPremises): FiskError {
  if (holder !== null) return premisesHeld(premisesCode, holder, 'premises')
  const why = `premises ${premisesCode} is one too many: a gateway sells at ${MOST_CLAIMS} premises at most`
  return new FiskError('premises_owned_by_gateway', why, { param: 'premises' })
}

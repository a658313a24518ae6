import { FiskError } from '../../domain/errors.ts'
import { premisesHeld } from '../../domain/premises/owned-by-gateway.ts'
import type { Premises } from '../ports/gateways.ts'
import { LOCAL_GATEWAY } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** What to do instead when only the gateway may change its row. */
const THERE = {
  invoice: 'send the gateway a command: fisk gateway send',
  device: 'sell and change it there, or send the gateway a command: fisk gateway send',
  company: 'take it over first, with fisk company add --oib OIB, or send the gateway a command: fisk gateway send',
} as const

/** @throws FiskError `invoice_owned_by_gateway`, `device_owned_by_gateway` when the row belongs to a gateway */
export function requireOurs(what: keyof typeof THERE, row: { gatewayId: string }, param: string): void {
  if (row.gatewayId === LOCAL_GATEWAY) return
  const code = what === 'invoice' ? 'invoice_owned_by_gateway' : 'device_owned_by_gateway'
  throw new FiskError(code, `this ${what} belongs to a gateway: ${THERE[what]}`, { param })
}

/**
 * The gateways of the tenant that sell at these premises (`the gateway NAME` by code): only they may number receipts
 * there. Call it in the transaction that creates the device, which holds `premises`.
 */
export async function heldPremises(
  tx: StoreTransaction,
  tenantId: string,
  premises: readonly Premises[],
): Promise<Map<string, string>> {
  const holders = (await tx.gateways.claims.holders(premises, tenantId)).filter(
    ({ gatewayId }) => gatewayId !== LOCAL_GATEWAY,
  )
  const names = await tx.gateways.names(holders.map(({ gatewayId }) => gatewayId))
  return new Map(
    holders.map(({ premisesCode, gatewayId }) => [premisesCode, `the gateway ${names.get(gatewayId) ?? gatewayId}`]),
  )
}

/** @throws FiskError `premises_owned_by_gateway` */
export async function requireFreePremises(tx: StoreTransaction, one: Premises & { tenantId: string }): Promise<void> {
  const holder = (await heldPremises(tx, one.tenantId, [one])).get(one.premisesCode)
  if (holder !== undefined) throw premisesHeld(one.premisesCode, holder)
}

import { FiskError } from '../../domain/errors.ts'
import type { FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { Principal } from '../access/principal.ts'
import { failuresOf } from '../sales/failure-causes.ts'
import { type GatewayCommandDeps, sendCommand } from './queue-commands.ts'

/** Gateways that were asked, and the ids of the commands that say so. */
export interface AskedGateways {
  gateways: number
  commands: string[]
}

/**
 * Lets the gateways requeue their failed invoices with a code, or with any code: only they can send them. A gateway
 * with an unanswered request is not asked again; a gateway that cannot get commands is left out. A gateway requeues for
 * all its companies, so a limited principal asks none.
 * @returns how many gateways will requeue with their next poll, and the commands that wait for them
 * @throws FiskError `insufficient_scope`
 */
export async function requeueAtGateways(
  deps: GatewayCommandDeps,
  principal: Principal,
  code?: FiscalErrorCode,
): Promise<AskedGateways> {
  if (principal.companyIds !== null) return { gateways: 0, commands: [] }
  const { causes } = await failuresOf(deps.store, principal)
  const asked = new Set<string>()
  const commands: string[] = []
  for (const cause of causes) {
    if (cause.code === null || (code !== undefined && cause.code !== code)) continue
    for (const gatewayId of cause.gatewayIds) {
      const id = await ask(deps, principal, gatewayId, cause.code)
      if (id === null) continue
      asked.add(gatewayId)
      commands.push(id)
    }
  }
  return { gateways: asked.size, commands }
}

async function ask(deps: GatewayCommandDeps, principal: Principal, gatewayId: string, code: FiscalErrorCode) {
  try {
    return (await sendCommand(deps, principal, gatewayId, { type: 'invoices.requeue', body: { code } })).id
  } catch (error) {
    if (error instanceof FiskError && error.status === 409) return null
    throw error
  }
}

import { FiskError } from '../../domain/errors.ts'
import type { FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { Principal } from '../access/principal.ts'
import { failuresOf } from '../sales/failure-causes.ts'
import { type GatewayCommandDeps, sendCommand } from './queue-commands.ts'

/**
 * Lets the gateways requeue their failed invoices with a code, or with any code: only they can send them. A gateway
 * with an unanswered request is not asked again; a gateway that cannot get commands is left out.
 * @returns how many gateways will requeue with their next poll
 * @throws FiskError `insufficient_scope`
 */
export async function requeueAtGateways(
  deps: GatewayCommandDeps,
  principal: Principal,
  code?: FiscalErrorCode,
): Promise<number> {
  const { causes } = await failuresOf(deps.store, principal)
  const asked = new Set<string>()
  for (const cause of causes) {
    if (cause.code === null || (code !== undefined && cause.code !== code)) continue
    for (const gatewayId of cause.gatewayIds) {
      if (await ask(deps, principal, gatewayId, cause.code)) asked.add(gatewayId)
    }
  }
  return asked.size
}

const MOST_WAITING = 100

async function ask(deps: GatewayCommandDeps, principal: Principal, gatewayId: string, code: FiscalErrorCode) {
  const waiting = await deps.store.gatewayCommands.waiting(gatewayId, MOST_WAITING)
  if (waiting.some(({ type, body }) => type === 'invoices.requeue' && body.code === code)) return true
  try {
    await sendCommand(deps, principal, gatewayId, { type: 'invoices.requeue', body: { code } })
    return true
  } catch (error) {
    if (error instanceof FiskError && error.status === 409) return false
    throw error
  }
}

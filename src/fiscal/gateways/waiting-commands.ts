import type { EpochMs } from '../../domain/instant.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { GatewayCommand } from '../ports/gateway-commands.ts'
import { type GatewayState, heardAt, stateOf } from './gateways.ts'
import type { CommandContext } from './queue-commands.ts'

/** A command, and the gateway that it is for. */
export interface CommandStanding {
  command: GatewayCommand
  gateway: string
  state: GatewayState
  /** When the gateway was last in contact. */
  heardAt: EpochMs
}

/** No gateway has more. */
const MOST_OF_ONE = 100

/** The unanswered commands of gateways, in order, those of one after those of another. @throws FiskError `insufficient_scope` */
export async function waitingAt(
  { store, clock }: CommandContext,
  principal: Principal,
  gatewayIds: readonly string[],
): Promise<CommandStanding[]> {
  requireScope(principal, 'fleet:read')
  if (gatewayIds.length === 0) return []
  await store.gatewayCommands.expire(clock.proven())
  return standings({ store, clock }, principal, await store.gatewayCommands.waitingAt(gatewayIds, MOST_OF_ONE))
}

/** Commands by their ids, in the order in which they were issued; unknown ids are left out. @throws FiskError `insufficient_scope` */
export async function commandsWith(
  { store, clock }: CommandContext,
  principal: Principal,
  ids: readonly string[],
): Promise<CommandStanding[]> {
  requireScope(principal, 'fleet:read')
  if (ids.length === 0) return []
  await store.gatewayCommands.expire(clock.proven())
  return standings({ store, clock }, principal, await store.gatewayCommands.withIds(ids))
}

/** Whether a command is about a row of a company that the principal reaches. */
async function isReached({ store }: CommandContext, principal: Principal, { body }: GatewayCommand): Promise<boolean> {
  if (principal.companyIds === null) return true
  const idIn = (field: string) => (typeof body[field] === 'string' ? body[field] : '')
  const row = (await store.devices.get(idIn('device_id'))) ?? (await store.invoices.get(idIn('invoice_id')))
  return reachesCompany(
    principal,
    row?.companyId ?? (await store.companies.idWithin(principal.tenantId, idIn('company_id'))),
  )
}

async function standings(
  { store, clock }: CommandContext,
  principal: Principal,
  all: readonly GatewayCommand[],
): Promise<CommandStanding[]> {
  const { tenantId } = principal
  const commands: GatewayCommand[] = []
  for (const command of all) if (await isReached({ store, clock }, principal, command)) commands.push(command)
  const known = new Map<string, Omit<CommandStanding, 'command'>>()
  for (const id of new Set(commands.map(({ gatewayId }) => gatewayId))) {
    const gateway = await store.gateways.get(id)
    if (gateway?.tenantId !== tenantId) continue
    known.set(id, { gateway: gateway.name, state: stateOf(gateway, clock.now()), heardAt: heardAt(gateway) })
  }
  return commands.flatMap((command) => {
    const gateway = known.get(command.gatewayId)
    return gateway ? [{ command, ...gateway }] : []
  })
}

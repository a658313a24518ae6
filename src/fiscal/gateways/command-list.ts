import { companyIdOf } from '../../domain/company-id.ts'
import { notFound } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { type Principal, reachesCompany, requireAllCompanies, requireScope } from '../access/principal.ts'
import { type Page, pageOf } from '../list-page.ts'
import type { CommandAttachment, CommandType, GatewayCommand } from '../ports/gateway-commands.ts'
import { type Company, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findGateway, type GatewayState, heardAt, stateOf } from './gateways.ts'
import type { CommandContext } from './queue-commands.ts'

/** A command and its attachment, without the content. */
export interface CommandView {
  command: GatewayCommand
  attachment: { name: string; bytes: number } | null
}

/** @returns the id of a gateway whose commands may be seen. @throws FiskError `insufficient_scope`, 404 */
async function gatewayIdOf({ store, clock }: CommandContext, principal: Principal, gatewayRef: string) {
  requireScope(principal, 'fleet:read')
  requireAllCompanies(principal)
  const { id } = await findGateway(store, principal, gatewayRef)
  await store.gatewayCommands.expire(clock.proven())
  return id
}

/** The commands of a gateway, the latest first. @throws FiskError `insufficient_scope`, 404 */
export async function listCommands(
  deps: CommandContext,
  principal: Principal,
  gatewayRef: string,
  slice: Slice,
): Promise<Page<CommandView>> {
  const { store } = deps
  const gatewayId = await gatewayIdOf(deps, principal, gatewayRef)
  const { items, next } = await pageOf(
    slice,
    (wanted) => store.gatewayCommands.list(gatewayId, wanted),
    ({ issuedAt, id }) => ({ at: issuedAt, id }),
  )
  const attachments = await store.gatewayCommands.attachments(items.map(({ id }) => id))
  return { items: items.map((command) => viewOf(command, attachments)), next }
}

/** @throws FiskError `insufficient_scope`, 404 */
export async function findCommand(
  deps: CommandContext,
  principal: Principal,
  gatewayRef: string,
  id: string,
): Promise<CommandView> {
  const { store } = deps
  const gatewayId = await gatewayIdOf(deps, principal, gatewayRef)
  const command = await store.gatewayCommands.get(id)
  if (command?.gatewayId !== gatewayId) throw notFound('id', 'there is no such command')
  return viewOf(command, await store.gatewayCommands.attachments([id]))
}

/** @throws FiskError as `findCommand`, and 404 when it has no attachment */
export async function findAttachment(
  deps: CommandContext,
  principal: Principal,
  gatewayRef: string,
  id: string,
): Promise<CommandAttachment> {
  await findCommand(deps, principal, gatewayRef, id)
  const attachment = await deps.store.gatewayCommands.attachment(id)
  if (!attachment) throw notFound('id', 'this command has brought no file back, or it was removed after 30 days')
  return attachment
}

function viewOf(
  command: GatewayCommand,
  attachments: readonly { commandId: string; name: string; bytes: number }[],
): CommandView {
  const found = attachments.find(({ commandId }) => commandId === command.id)
  return { command, attachment: found ? { name: found.name, bytes: found.bytes } : null }
}

/** The owner of a device or an invoice: the name of a gateway, or null for this database. @throws FiskError 404 */
export async function ownerOf(
  { store }: { store: Pick<StoreTransaction, 'devices' | 'gateways' | 'invoices'> },
  principal: Principal,
  { deviceId, invoiceId }: { deviceId?: string | undefined; invoiceId?: string | undefined },
): Promise<string | null> {
  requireScope(principal, 'fleet:read')
  const row = deviceId === undefined ? await store.invoices.get(invoiceId ?? '') : await store.devices.get(deviceId)
  if (row?.tenantId !== principal.tenantId || !reachesCompany(principal, row.companyId)) {
    throw notFound('id', 'there is no such device or invoice')
  }
  return row.gatewayId === LOCAL_GATEWAY ? null : ((await store.gateways.get(row.gatewayId))?.name ?? null)
}

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

type Read = (rows: CommandContext['store']['gatewayCommands'], ids: readonly string[]) => Promise<GatewayCommand[]>

const standingsOf = (read: Read) => async (deps: CommandContext, principal: Principal, ids: readonly string[]) => {
  requireScope(principal, 'fleet:read')
  if (ids.length === 0) return []
  const { gatewayCommands } = deps.store
  await gatewayCommands.expire(deps.clock.proven())
  return standings(deps, principal, await read(gatewayCommands, ids))
}

/** The unanswered commands of gateways, in order, those of one after those of another. @throws FiskError `insufficient_scope` */
export const waitingAt = standingsOf((rows, gatewayIds) => rows.waitingAt(gatewayIds, MOST_OF_ONE))

/** Commands by their ids, in the order in which they were issued; unknown ids are left out. @throws FiskError `insufficient_scope` */
export const commandsWith = standingsOf((rows, ids) => rows.withIds(ids))

/** The latest command of a type about a company, of each gateway. @throws FiskError `insufficient_scope` */
export const latestAbout = (deps: CommandContext, principal: Principal, type: CommandType, { oib }: Company) =>
  standingsOf((rows) => rows.latestAbout(type, companyIdOf(oib)))(deps, principal, [oib])

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

import type { PrinterCondition } from '../../domain/printer.ts'
import { isAttended, resolveField } from '../../domain/sale/config-chain.ts'
import type { Blocker } from '../doctor/blockers/blocker.ts'
import { type GatewayState, heardAt } from '../gateways/gateways.ts'
import { type Company, type Device, LOCAL_GATEWAY } from '../ports/model.ts'
import type { MachineDevice, MachineGateway } from '../ports/rows/machines.ts'
import type { MachineHealth, Paper, StopCause, UnknownCause } from './machine.ts'

export interface KnownGateway {
  gateway: MachineGateway
  state: GatewayState
}

type ConcernedCompany = Pick<Company, 'id' | 'fiscalConfig' | 'mode'>

export interface HealthFacts {
  device: MachineDevice
  company: ConcernedCompany & Pick<Company, 'status'>
  /** What stops machines of this database, apart from what the device itself lacks; null without such a problem. */
  ownStop: StopCause | null
  /** The gateway that decides on it; null for a machine of this database. */
  gateway: KnownGateway | null
}

/**
 * Whether a machine can sell: what is known here stops it first, then what its gateway says, if that is recent. A company
 * that is suspended here is not yet at a gateway: it says so itself once it has taken the command.
 */
export function machineHealth({ device, company, ownStop, gateway }: HealthFacts): MachineHealth {
  const stop =
    ofDevice(device, company) ?? (gateway ? null : company.status === 'active' ? ownStop : 'company_inactive')
  if (stop !== null) return { can: 'no', cause: stop }
  return gateway === null ? { can: 'yes' } : asGatewaySays(gateway, device, company)
}

function ofDevice(
  { status, isuNumber, isuStatus, deviceConfig }: MachineDevice,
  company: Pick<Company, 'fiscalConfig'>,
) {
  if (status !== 'active') return status === 'suspended' ? 'device_suspended' : 'device_archived'
  if (isuNumber !== null && isuStatus !== 'mismatch') return null
  if (isAttended(deviceConfig, company.fiscalConfig)) return null
  return isuNumber === null ? 'isu_missing' : 'isu_mismatch'
}

const UNHEARD: Record<Exclude<GatewayState, 'connected'>, UnknownCause> = {
  awaiting_token: 'gateway_unheard',
  silent: 'gateway_silent',
  duplicated: 'gateway_duplicated',
  left: 'gateway_left',
  revoked: 'gateway_left',
}

function asGatewaySays(
  { gateway, state }: KnownGateway,
  device: MachineDevice,
  company: ConcernedCompany,
): MachineHealth {
  if (state !== 'connected') {
    return { can: 'unknown', cause: UNHEARD[state], since: state === 'silent' ? heardAt(gateway) : null }
  }
  const { heartbeat } = gateway
  if (heartbeat === null) return { can: 'unknown', cause: 'gateway_unheard', since: null }
  if (heartbeat.can_sell && heartbeat.problems.length === 0) return { can: 'yes' }
  // Other problems there may name companies that the reader must not see.
  const problem = heartbeat.problems.find(({ company_id: companyId, device_id: deviceId, ...one }) =>
    concerns({ ...one, companyId, deviceId }, device, company),
  )
  if (problem === undefined && heartbeat.can_sell) return { can: 'yes' }
  return { can: 'no', cause: 'gateway_stopped', ...(problem && { said: problem }) }
}

/** What stops machines of this database and is not in the machine, of what `commonBlockers` has found. */
export function ownStops(problems: readonly Blocker[]): (device: MachineDevice, company: Company) => StopCause | null {
  return (device, company) =>
    (problems.find((blocker) => concerns(blocker, device, company))?.cause as StopCause | undefined) ?? null
}

type Concern = { [K in 'companyId' | 'count' | 'deviceId' | 'mode' | 'premises']?: Blocker[K] | undefined }

/** Whether a problem stops a machine: one that names no company, device, premises or mode stops all. */
function concerns(
  { count, companyId, deviceId, premises, mode }: Concern,
  device: MachineDevice,
  company: ConcernedCompany,
): boolean {
  // Which devices are counted is not said; what each one lacks is known here, too.
  if (count !== undefined) return false
  if (companyId !== undefined && companyId !== company.id) return false
  if (deviceId !== undefined && deviceId !== device.id) return false
  if (mode !== undefined && mode !== company.mode) return false
  if (premises === undefined) return true
  const levels = { request: {}, configured: [device.deviceConfig, company.fiscalConfig] }
  const isSequence = premises.register === null || premises.register === resolveField('register_mark', levels)
  return premises.code === device.premisesCode && isSequence
}

export interface PaperFacts {
  /** Of the printers that are connected here, by device. */
  conditions: ReadonlyMap<string, PrinterCondition>
  printers: ReadonlySet<string>
  /** What alerts about low paper say of the receipts left, by device. */
  receiptsLeft: ReadonlyMap<string, number>
}

/** A heartbeat names at most this many printers. */
const MOST_NAMED = 100

/** @param gateway the one that decides on the device, if any */
export function paperOf(
  { id, gatewayId }: Pick<Device, 'id' | 'gatewayId'>,
  gateway: KnownGateway | null,
  { conditions, printers }: PaperFacts,
): Paper {
  if (gatewayId === LOCAL_GATEWAY) return printers.has(id) ? ofCondition(conditions.get(id)) : 'none'
  const named = gateway?.gateway.heartbeat?.printers ?? []
  const printer = named.find(({ device_id }) => device_id === id)
  if (printer === undefined) return named.length < MOST_NAMED ? 'none' : 'unknown'
  return gateway?.state === 'connected' ? ofCondition(printer) : 'unknown'
}

function ofCondition(condition: { state: string; paper: string | null } | undefined): Paper {
  if (condition === undefined || condition.state === 'unknown') return 'unknown'
  if (condition.paper === 'out') return 'out'
  if (condition.state !== 'ready') return 'fault'
  return condition.paper === 'near_end' ? 'low' : 'ok'
}

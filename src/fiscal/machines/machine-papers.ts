import type { PrinterCondition } from '../../domain/printer.ts'
import { type Device, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Paper } from './machine.ts'
import type { KnownGateway } from './machine-health.ts'

export interface PaperFacts {
  /** Of the printers that are connected here, by device. */
  conditions: ReadonlyMap<string, PrinterCondition>
  /** Devices here that have a printer. */
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

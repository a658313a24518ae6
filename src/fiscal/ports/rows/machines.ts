import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { GatewayRecord } from '../gateways.ts'
import type { Device } from '../model.ts'
import type { Position, Slice } from './lists.ts'

/** What the list of machines needs of a device. */
export type MachineDevice = Pick<Device, (typeof OF_DEVICE)[number]>
export const OF_DEVICE = [
  ...(['id', 'gatewayId', 'companyId', 'label', 'premisesCode', 'premisesAddress'] as const),
  ...(['isuNumber', 'isuStatus', 'deviceConfig', 'status'] as const),
]

/** A row of the list, with its place in it. */
export interface ListedDevice {
  id: string
  createdAt: EpochMs
  device: MachineDevice
  lastSaleAt: EpochMs | null
}

/** What the list of machines needs of a gateway. */
export type MachineGateway = Pick<GatewayRecord, (typeof OF_GATEWAY)[number]>
export const OF_GATEWAY = [
  ...(['id', 'name', 'createdAt', 'enrolledAt', 'credentialHash'] as const),
  ...(['revokedAt', 'duplicatedAt', 'lastSeenAt', 'heartbeat'] as const),
]

/** What pages and alerts ask of single machines. Every query is for some of them: callers pause in between. */
export interface MachineRows {
  /** The next devices of a tenant in the order of their creation, each with its latest sale in the mode of its company. */
  devices(tenantId: string, slice: Slice): Promise<ListedDevice[]>
  /** The next gateways of a tenant by name (`after` the last one); their heartbeats are shared with other readers. */
  gateways(tenantId: string, slice: { limit: number; after?: string | undefined }): Promise<MachineGateway[]>
  /** The latest sale of each device in the mode of its company; devices without one are left out. */
  lastSales(deviceIds: readonly string[]): Promise<Map<string, EpochMs>>
  /** Invoices that devices issued per hour since a moment, in order, without empty hours; reads an entry for each. */
  soldByHour(
    of: readonly { deviceId: string; mode: Mode; from: EpochMs }[],
  ): Promise<{ deviceId: string; hour: number; sales: number }[]>
  /** The next invoices without a JIR that can still get one, in the order of their sales. */
  unconfirmed(
    of: { tenantId: string; mode: Mode; status: 'pending' | 'retrying' | 'failed' },
    slice: Slice,
  ): Promise<(Position & { deviceId: string })[]>
}

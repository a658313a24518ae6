import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { Position } from './lists.ts'

/** What pages and alerts ask of single machines. Every query is for some of them: callers pause in between. */
export interface MachineRows {
  /** The latest sale of each device in the mode of its company; devices without one are left out. */
  lastSales(deviceIds: readonly string[]): Promise<Map<string, EpochMs>>
  /**
   * The next invoices without a JIR, in the order of their sales, that can still get one.
   * @param after the last one of the slice before
   */
  unconfirmed(
    of: { tenantId: string; mode: Mode; status: 'pending' | 'retrying' | 'failed' },
    slice: { limit: number; after?: Position | undefined },
  ): Promise<(Position & { deviceId: string })[]>
}

import type { ConnectionBreak } from '../../../domain/sale/connection-break.ts'

export interface ConnectionBreakRows {
  /** The breaks of the last weeks, the earliest first. */
  list(): Promise<ConnectionBreak[]>
  /** Stores them in place of those before. */
  put(breaks: readonly ConnectionBreak[]): Promise<void>
}

import type { CommandType, GatewayCommand } from './gateway-commands.ts'
import type { JsonObject } from './model.ts'
import type { StoreTransaction } from './store.ts'

/** A command while it is done. */
export interface Execution extends Pick<GatewayCommand, 'id' | 'gatewayId' | 'body' | 'issuedBy'> {
  /** Whose rows it may touch. */
  tenantId: string
  /** Ends when it has taken too long. */
  signal: AbortSignal
  /**
   * Stores the result in the transaction of the effect: both are there after a crash, or neither.
   * @throws when it has ended meanwhile, for want of time: the effect must not come to be then
   */
  keep(tx: StoreTransaction, result: JsonObject): Promise<void>
  /** The same for an effect that must come to be in any case, such as what the tax authority has answered. */
  note(tx: StoreTransaction, result: JsonObject): Promise<void>
  /** Sends bytes along; resolves when the server has them. */
  attach(name: string, content: Buffer, signal: AbortSignal): Promise<void>
}

/** How a command is done, and how long that may take. */
export interface CommandExecutor {
  limitMs: number
  /** @throws FiskError when a rule forbids it */
  run(execution: Execution): Promise<JsonObject>
}

export type CommandExecutors = Record<CommandType, CommandExecutor>

import { FiskError } from '../../domain/errors.ts'
import type { CommandOutcome, CommandType } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'

/** A command while it is done. */
export interface Execution {
  id: string
  gatewayId: string
  /** Whose rows it may touch. */
  tenantId: string
  body: JsonObject
  issuedBy: string
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

export interface Ending {
  status: Extract<CommandOutcome, 'done' | 'failed'>
  result: JsonObject
}

/**
 * Does a command within its time.
 * @param stop ends it before: the daemon stops
 * @param reportFault told about failures that are no rule's refusal
 * @returns undefined when it was stopped: nobody knows how far it came
 */
export async function execute(
  { limitMs, run }: CommandExecutor,
  execution: Omit<Execution, 'signal'>,
  stop: AbortSignal,
  reportFault: (error: unknown) => void,
): Promise<Ending | undefined> {
  const ending = new AbortController()
  let cutOff = (_: Error) => {}
  const cut = new Promise<never>((_, reject) => {
    cutOff = (error) => {
      reject(error)
      ending.abort(error)
    }
  })
  const onStop = () => cutOff(new Stopped())
  const seconds = Math.round(limitMs / 1000)
  const timer = setTimeout(() => cutOff(new TooSlow(`it was not done within ${seconds} s`)), limitMs)
  stop.addEventListener('abort', onStop)
  try {
    const result = await Promise.race([run({ ...execution, signal: ending.signal }), cut])
    return { status: 'done', result: bounded(result) }
  } catch (error) {
    if (stop.aborted) return undefined
    if (!(error instanceof FiskError) && !(error instanceof TooSlow)) reportFault(error)
    return { status: 'failed', result: { error: explained(error) } }
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
  }
}

class Stopped extends Error {}

class TooSlow extends Error {}

function explained(error: unknown): JsonObject {
  if (error instanceof FiskError) return { code: error.code, message: error.message, param: error.param }
  if (error instanceof TooSlow) return { code: 'too_slow', message: error.message, param: null }
  return { code: 'internal_error', message: 'something failed in the gateway: its log says what', param: null }
}

/** The server takes no more in one request. */
const MAX_RESULT_BYTES = 200 * 1024

/** A result that is too large to be told is not told. */
export function bounded(result: JsonObject): JsonObject {
  const bytes = Buffer.byteLength(JSON.stringify(result))
  return bytes <= MAX_RESULT_BYTES ? result : { too_large: true, bytes }
}

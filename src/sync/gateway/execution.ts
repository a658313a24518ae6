import { FiskError } from '../../domain/errors.ts'
import type { CommandExecutor, Execution } from '../../fiscal/ports/command-execution.ts'
import type { CommandOutcome } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'

export interface Ending {
  status: Extract<CommandOutcome, 'done' | 'failed'>
  result: JsonObject
}

/**
 * Executes a command within its time limit.
 * @param stop aborts the command early, because the daemon stops
 * @param reportFault called with failures that are not the refusal of a rule
 * @returns undefined when it was stopped: its progress is unknown
 */
export async function execute(
  { limitMs, run }: CommandExecutor,
  execution: Omit<Execution, 'signal'>,
  stop: AbortSignal,
  reportFault: (error: unknown) => void,
): Promise<Ending | undefined> {
  const ending = new AbortController()
  const cut = Promise.withResolvers<never>()
  const cutOff = (error: Error) => {
    cut.reject(error)
    ending.abort(error)
  }
  const onStop = () => cutOff(new Stopped())
  const seconds = Math.round(limitMs / 1000)
  const timer = setTimeout(() => cutOff(new TooSlow(`it was not done within ${seconds} s`)), limitMs)
  stop.addEventListener('abort', onStop)
  try {
    const result = await Promise.race([run({ ...execution, signal: ending.signal }), cut.promise])
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

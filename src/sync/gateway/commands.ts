import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { CommandExecutor, CommandExecutors, Execution } from '../../fiscal/ports/command-execution.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { CommandOutcome, ReceivedCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'
import type { SignedCommand } from '../wire/commands.ts'
import { type Judgement, judgeCommand, LONGEST_LIFE_MS, type SoundCommand } from './judge-command.ts'

export interface CommandDeps {
  store: Pick<Store, 'enrolment' | 'receivedCommands' | 'transaction'>
  executors: CommandExecutors
  clock: { now(): EpochMs; proven(): EpochMs }
  log: CommandLog
  /** Writes down that a command was taken up, in the transaction that does. */
  audit(tx: StoreTransaction, by: { issuedBy: string; tenantId: string }, detail: JsonObject): Promise<void>
  onDone(): void
  attach(commandId: string, name: string, content: Buffer, signal: AbortSignal): Promise<void>
}

export interface CommandLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export type Commands = ReturnType<typeof createCommands>

const REFUSALS_KEPT = 1000

export function createCommands({ store, executors, clock, log, audit, attach, onDone }: CommandDeps) {
  const end = new AbortController()

  /** Where a command goes that was seen before, or is not to be done. @returns whether it was new */
  async function putAway(judgement: Judgement & { verdict: 'refused' }): Promise<boolean> {
    const { id, code, message, command } = judgement
    const seen = id === null ? undefined : await store.receivedCommands.get(id)
    if (seen) {
      await store.receivedCommands.tellAgain(seen.id)
      return false
    }
    log.warn(
      { command: id, number: command?.number ?? null, type: command?.type ?? null, code },
      `a command was refused: ${message}`,
    )
    if (id === null) return false
    await store.transaction(async (tx) => {
      const { number = 0, type = '' } = command ?? {}
      const status = code === 'command_expired' ? 'expired' : 'refused'
      await note(tx, { id, number, type, status, result: { error: { code, message, param: null } } })
    })
    return true
  }

  async function note(tx: StoreTransaction, received: Omit<ReceivedCommand, 'receivedAt' | 'toldAt'>): Promise<void> {
    await tx.receivedCommands.insert({ ...received, receivedAt: clock.now(), toldAt: null })
    await advance(tx, received.number)
  }

  /** From now on it has begun, whatever happens. @returns false when it may not begin any more */
  function begin(command: SoundCommand, { gatewayId, tenantId }: Enrolment): Promise<boolean> {
    return store.transaction(async (tx) => {
      const now = await tx.enrolment.get()
      if (now?.gatewayId !== gatewayId || now.lastCommand >= command.number) return false
      const { id, number, type, issued_by: issuedBy } = command
      await note(tx, { id, number, type, status: 'begun', result: null })
      await audit(tx, { issuedBy, tenantId }, { id, number, type })
      return true
    })
  }

  async function run(command: SoundCommand, enrolment: Enrolment): Promise<void> {
    const { id, type, number, body, issued_by: issuedBy } = command
    const done = (tx: Pick<StoreTransaction, 'receivedCommands'>, result: JsonObject) =>
      tx.receivedCommands.end(id, { status: 'done', result: bounded(result) })
    const execution = {
      id,
      body,
      issuedBy,
      tenantId: enrolment.tenantId,
      gatewayId: command.gateway_id,
      async keep(tx: Pick<StoreTransaction, 'receivedCommands'>, result: JsonObject) {
        if (!(await done(tx, result))) throw new Error('the command has ended meanwhile')
      },
      async note(tx: Pick<StoreTransaction, 'receivedCommands'>, result: JsonObject) {
        await done(tx, result)
      },
      attach: (name: string, content: Buffer, signal: AbortSignal) => attach(id, name, content, signal),
    }
    const reportFault = (error: unknown) => log.error({ err: error, command: id, type }, 'a command failed')
    const ending = await execute(executors[type], execution, end.signal, reportFault)
    if (!ending) return
    // What has stored its result with its effect has ended already.
    await store.receivedCommands.end(id, ending)
    onDone()
    const ended = await store.receivedCommands.get(id)
    log.info(
      { command: id, number, type, by: issuedBy, status: ended?.status ?? ending.status },
      'a command was taken up',
    )
  }

  async function takeOne(signed: SignedCommand): Promise<boolean> {
    const enrolment = await store.enrolment.get()
    if (!enrolment?.gatewayId || enrolment.serverKey === null) return false
    const { gatewayId, serverKey, lastCommand } = enrolment
    const judgement = judgeCommand(signed, { gatewayId, serverKey, lastCommand }, clock.proven())
    if (judgement.verdict === 'refused') return putAway(judgement)
    const { command } = judgement
    // Numbered anew by a server that has lost what it knew: it was done once, and that is enough.
    if (await store.receivedCommands.get(command.id)) {
      await store.receivedCommands.tellAgain(command.id)
      await store.transaction((tx) => advance(tx, command.number))
      return false
    }
    if (!(await begin(command, enrolment))) return false
    await run(command, enrolment)
    return true
  }

  return {
    /** Ends commands that a crash has interrupted. Their progress is unknown, so they are not started again. */
    async interrupt(): Promise<void> {
      for (const { id, number, type } of await store.receivedCommands.begun()) {
        const message =
          'the gateway stopped while it was done: nobody knows how far it came; look, and send it again if need be'
        await store.receivedCommands.end(id, {
          status: 'interrupted',
          result: { error: { code: 'interrupted', message, param: null } },
        })
        log.warn({ command: id, number, type }, 'a command was cut off, and is not begun again')
      }
    },
    /** Executes commands one after another, each at most once. Resolves at their end. @returns how many were new */
    async take(commands: readonly SignedCommand[]): Promise<number> {
      await store.receivedCommands.forget(clock.proven() - 2 * LONGEST_LIFE_MS, REFUSALS_KEPT)
      let fresh = 0
      for (const command of commands) if (!end.signal.aborted && (await takeOne(command))) fresh++
      return fresh
    },
    /** Abandons the running command: the next start finds it interrupted. */
    stop: () => end.abort(),
  }
}

async function advance(tx: Pick<StoreTransaction, 'enrolment'>, number: number): Promise<void> {
  const enrolment = await tx.enrolment.get()
  if (enrolment && number > enrolment.lastCommand) await tx.enrolment.update({ lastCommand: number })
}

/** @param stop the daemon stops @param reportFault called unless a rule refuses @returns undefined after a stop */
async function execute(
  { limitMs, run }: CommandExecutor,
  execution: Omit<Execution, 'signal'>,
  stop: AbortSignal,
  reportFault: (error: unknown) => void,
): Promise<{ status: Extract<CommandOutcome, 'done' | 'failed'>; result: JsonObject } | undefined> {
  const ending = new AbortController()
  const cut = Promise.withResolvers<never>()
  const cutOff = (error: Error) => {
    cut.reject(error)
    ending.abort(error)
  }
  const onStop = () => cutOff(new Error('the daemon stops'))
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

class TooSlow extends Error {}

function explained(error: unknown): JsonObject {
  if (error instanceof FiskError) return { code: error.code, message: error.message, param: error.param }
  if (error instanceof TooSlow) return { code: 'too_slow', message: error.message, param: null }
  return { code: 'internal_error', message: 'something failed in the gateway: its log says what', param: null }
}

/** The server takes no more in one request. */
const MAX_RESULT_BYTES = 200 * 1024

/** A result that is too large to be told is not told. */
function bounded(result: JsonObject): JsonObject {
  const bytes = Buffer.byteLength(JSON.stringify(result))
  return bytes <= MAX_RESULT_BYTES ? result : { too_large: true, bytes }
}

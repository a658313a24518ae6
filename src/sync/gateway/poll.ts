import { setTimeout as delay } from 'node:timers/promises'
import type { Heartbeat } from '../../fiscal/ports/gateways.ts'
import type { KeepLinks } from '../../fiscal/ports/receipt-links.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { SYNC_ANSWER_BOUNDS, SYNC_BOUNDS } from '../wire/bounds.ts'
import type { PollResponse } from '../wire/messages.ts'
import type { createCommandLink } from './command-link.ts'
import type { CommandLog, Commands } from './commands.ts'
import { NotEnrolled } from './connection.ts'
import { SyncFailure } from './failure.ts'
import { createRounds } from './rounds.ts'

/** What the server of an enrolled gateway is asked and told; both throw when it cannot be reached or refuses. */
export type CommandLink = Pick<ReturnType<typeof createCommandLink>, 'poll' | 'tell'>

export interface PollingDeps {
  store: Pick<StoreTransaction, 'enrolment' | 'receivedCommands'>
  commands: Commands
  link: CommandLink
  /** Whether this process has said hello; the hello wakes the poll. */
  greeted(): boolean
  links: KeepLinks
  heartbeat(): Promise<Heartbeat>
  /** How long to wait after this number of failures in a row and this latest error, milliseconds. */
  backoffMs(failures: number, error: unknown): number
  clock: { now(): number }
  log: CommandLog
  /** How long the server may keep a poll that has nothing to say, seconds. */
  waitS?: number
  /** How often it is told that we are there while a command is done, milliseconds. */
  beatMs?: number
}

/** The pause after a server has answered at once without new commands. */
const IDLE_MS = 5_000
const AT_ONCE_MS = 500
/** The pause without an enrolment or a hello; either one wakes the poll earlier. */
const NOBODY_MS = 60_000
const RESULTS_AT_ONCE = 20
/** The longest time that a message under way takes. */
const STOP_MS = 10_000

interface Progress {
  /** Commands that a crash or a fault has interrupted must be ended before the next poll. */
  mustInterrupt: boolean
  /** The commands that are being executed; resolves with the number of new commands. */
  working: Promise<number> | undefined
  /** The enrolment whose server has answered this process, by its time. */
  answeredAt: number | undefined
  failures: number
}

/** Polls the server for commands while the gateway is enrolled, and sends their results. */
export function createPolling(deps: PollingDeps) {
  const { store, commands, link, links, greeted, heartbeat, backoffMs, clock, log } = deps
  const { waitS = SYNC_BOUNDS.waitS.most - 5, beatMs = 30_000 } = deps
  const rounds = createRounds({ step, failed })
  const at: Progress = { mustInterrupt: true, working: undefined, answeredAt: undefined, failures: 0 }

  async function tellResults(signal: AbortSignal): Promise<void> {
    for (;;) {
      const untold = await store.receivedCommands.untold(RESULTS_AT_ONCE)
      for (const { id, status, result } of untold) {
        if (status === 'begun') continue
        if (!(await link.tell(id, { status, result }, signal))) {
          log.warn({ command: id, status }, 'the server does not take the result of a command')
        }
        await store.receivedCommands.told(id, clock.now())
      }
      if (untold.length < RESULTS_AT_ONCE) return
    }
  }

  function work(answer: PollResponse): Promise<number> {
    return commands
      .take(answer.commands)
      .catch((error: unknown) => {
        log.error({ err: error }, 'commands of the server could not be taken up')
        at.mustInterrupt = true
        return 0
      })
      .finally(() => {
        at.working = undefined
      })
  }

  /** One question and what follows from it. @returns how long to wait before the next one, milliseconds */
  async function ask(signal: AbortSignal): Promise<number> {
    const enrolment = await store.enrolment.get()
    if (!enrolment?.gatewayId || !greeted()) return NOBODY_MS
    await tellResults(signal)
    // A server tells what makes links with each answer: the first one comes at once.
    const isFirst = at.answeredAt !== enrolment.enrolledAt
    const wait_s = at.working || isFirst ? 0 : waitS
    const request = { wait_s, heartbeat: await heartbeat(), last_command: enrolment.lastCommand }
    const asked = performance.now()
    const answer = await link.poll(request, signal)
    await links.keep(enrolment, answer.receipt_links ?? null)
    at.answeredAt = enrolment.enrolledAt
    const again = Math.min(answer.again_s, SYNC_ANSWER_BOUNDS.againS.most) * 1000
    // Commands that arrive while another one is executed are sent again after it.
    if (at.working) return Math.max(beatMs, again)
    if (answer.commands.length === 0) {
      if (isFirst) return again
      return performance.now() - asked < AT_ONCE_MS ? Math.max(IDLE_MS, again) : again
    }
    const working = work(answer)
    at.working = working
    const fresh = await Promise.race([working, delay(beatMs, undefined, { ref: false })])
    if (fresh === undefined) void working.then(rounds.wake)
    return fresh === 0 ? IDLE_MS : 0
  }

  async function step(signal: AbortSignal): Promise<number> {
    if (at.mustInterrupt && !at.working) {
      await commands.interrupt()
      at.mustInterrupt = false
    }
    const restMs = await ask(signal)
    at.failures = 0
    return restMs
  }

  function failed(error: unknown): number {
    // What is wrong with the server is told by the connection.
    if (!(error instanceof SyncFailure) && !(error instanceof NotEnrolled)) {
      log.error({ err: error }, 'the server could not be asked for commands')
    }
    at.failures++
    return backoffMs(at.failures, error)
  }

  return {
    start: rounds.start,
    /** Asks at once: the gateway has just been enrolled, or the server is known to be there again. */
    wake: rounds.wake,
    async close(): Promise<void> {
      await rounds.close()
      await Promise.race([at.working, delay(STOP_MS, undefined, { ref: false })])
      commands.stop()
      await at.working
    },
  }
}

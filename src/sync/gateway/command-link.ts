import { setTimeout as delay } from 'node:timers/promises'
import { checkOf } from '../wire/check-value.ts'
import { type CommandResult, type PollRequest, PollResponse } from '../wire/messages.ts'
import type { Connection } from './connection.ts'
import { backoffMs, SyncFailure } from './failure.ts'

/** Longer than the server keeps a poll. */
const GRACE_MS = 20_000
/** A support bundle over a slow link. */
const ATTACH_MS = 10 * 60_000

export function createCommandLink(connection: Pick<Connection, 'ask' | 'tell'>) {
  const checkPoll = checkOf(PollResponse)
  const poll = (request: PollRequest, signal: AbortSignal): Promise<PollResponse> =>
    connection.ask({
      path: '/poll',
      body: { json: JSON.stringify(request) },
      check: checkPoll,
      timeoutMs: request.wait_s * 1000 + GRACE_MS,
      signal,
    })

  /** @returns false when the server knows of no such command, or never takes this answer */
  async function tell(id: string, result: CommandResult, signal: AbortSignal): Promise<boolean> {
    const body = { json: JSON.stringify(result) }
    try {
      await connection.tell({ path: `/commands/${id}`, body, signal })
      return true
    } catch (error) {
      if (error instanceof SyncFailure && isForGood(error)) return false
      throw error
    }
  }

  /** Sends a file along, again and again until the server has it. @throws when it is refused or the signal ends it */
  async function attach(id: string, name: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const path = `/commands/${id}/attachment?name=${encodeURIComponent(name)}`
    for (let failures = 1; ; failures++) {
      try {
        await connection.tell({ method: 'PUT', path, body: { bytes: content }, timeoutMs: ATTACH_MS, signal })
        return
      } catch (error) {
        if (signal.aborted || !(error instanceof SyncFailure) || isForGood(error)) throw error
        await delay(backoffMs(failures, error), undefined, { signal })
      }
    }
  }

  return { poll, tell, attach }
}

/** Said by the server itself, and not by something on the way to it: it is the same tomorrow. */
function isForGood({ code, status }: SyncFailure): boolean {
  return code === 'invalid_request' || code === 'request_too_large' || code === 'file_too_large' || status === 413
}

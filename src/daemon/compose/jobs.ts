import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { principalOf } from '../../fiscal/access/sessions.ts'
import { createJobs, type JobUseCases } from '../../fiscal/jobs/jobs.ts'
import { type RunDeps, runJobs } from '../../fiscal/jobs/run-jobs.ts'
import { createLease } from '../../fiscal/lease.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import { DatabaseAway } from '../../fiscal/ports/database-reach.ts'
import type { OpenStore } from '../../store/store.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'

export interface JobsDeps extends Pick<RunDeps, 'useCases' | 'changeTag' | 'sendCommand'> {
  store: OpenStore
  clock: Clock
  newUuid: () => string
  log: () => Pick<Logger, 'error'>
}

export interface Jobs {
  useCases: JobUseCases
  start(): void
  stop(): void
  close(): Promise<void>
}

/** While there is work, and when another process may have been given some. */
const [SOON_MS, LATER_MS] = [2_000, 60_000]

/** Work on many rows, in the background; one process at a time does it. */
export function composeJobs({ store, clock, newUuid, log, useCases, changeTag, sendCommand }: JobsDeps): Jobs {
  const stopping = new AbortController()
  const lease = createLease({ store, clock }, 'jobs', randomUUID())
  let timer: NodeJS.Timeout | undefined
  const deps: RunDeps = {
    ...{ store, clock, lease, useCases, changeTag, sendCommand },
    async principalOf(userId) {
      const user = await store.users.get(userId)
      return user && principalOf(user)
    },
  }

  const passes = oneAtATime(async () => {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    let hasMore = true
    try {
      hasMore = await runJobs(deps, stopping.signal)
    } catch (error) {
      if (!(error instanceof DatabaseAway)) log().error({ err: error }, 'a job could not go on')
    }
    if (!stopping.signal.aborted) timer = setTimeout(passes.run, hasMore ? SOON_MS : LATER_MS)
  })
  const stop = () => {
    stopping.abort()
    clearTimeout(timer)
  }
  return {
    useCases: createJobs({ store, clock, newUuid, onCreated: () => void passes.run() }),
    start() {
      timer = setTimeout(passes.run, SOON_MS)
    },
    stop,
    async close() {
      stop()
      await passes.settled()
      await lease.release().catch((error: unknown) => {
        if (!(error instanceof DatabaseAway)) throw error
      })
    },
  }
}

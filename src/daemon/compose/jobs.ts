import type { Logger } from 'pino'
import { principalOf } from '../../fiscal/access/sessions.ts'
import { createJobs, type JobUseCases } from '../../fiscal/jobs/jobs.ts'
import { type RunDeps, runJobs } from '../../fiscal/jobs/run-jobs.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import type { OpenStore } from '../../store/store.ts'
import { createLeasedPasses, type LeasedPasses } from './leased-passes.ts'

export interface JobsDeps extends Pick<RunDeps, 'useCases' | 'changeTag' | 'sendCommand'> {
  store: OpenStore
  clock: Clock
  newUuid: () => string
  log: () => Pick<Logger, 'error'>
}

export interface Jobs extends Omit<LeasedPasses, 'run'> {
  useCases: JobUseCases
}

/** While there is work, and when another process may have been given some. */
const [SOON_MS, LATER_MS] = [2_000, 60_000]

/** Work on many rows, in the background; one process at a time does it. */
export function composeJobs({ store, clock, newUuid, log, useCases, changeTag, sendCommand }: JobsDeps): Jobs {
  const principal = async (userId: string) => {
    const user = await store.users.get(userId)
    return user && principalOf(user)
  }
  const { run, ...passes } = createLeasedPasses({
    ...{ store, clock, name: 'jobs', firstAfterMs: SOON_MS, againAfterMs: SOON_MS },
    passOf(lease, signal) {
      const deps = { store, clock, lease, useCases, changeTag, sendCommand, principalOf: principal }
      return async () => ((await runJobs(deps, signal)) ? SOON_MS : LATER_MS)
    },
    onFault: (error) => log().error({ err: error }, 'a job could not go on'),
  })
  return { ...passes, useCases: createJobs({ store, clock, newUuid, onCreated: () => void run() }) }
}

import { isLocalOperator } from '../../fiscal/access/principal.ts'
import { principalOfUser } from '../../fiscal/access/sessions.ts'
import { createJobs } from '../../fiscal/jobs/jobs.ts'
import { type RunDeps, runJobs } from '../../fiscal/jobs/run-jobs.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import { operatorOf } from '../http/authenticate.ts'
import type { Base } from './base.ts'
import { createLeasedPasses } from './leased-passes.ts'

/** While there is work, and when another process may have been given some. */
const [SOON_MS, LATER_MS] = [2_000, 60_000]

/** Work on many rows, in the background; one process at a time does it. */
export function composeJobs(deps: Base & Pick<RunDeps, 'useCases' | 'changeTag' | 'sendCommand'>) {
  const { store, clock, newUuid, useCases, changeTag, sendCommand } = deps
  const { run, ...passes } = createLeasedPasses(deps, {
    name: 'jobs',
    everyMs: SOON_MS,
    passOf(lease, signal) {
      const principalOf = async ({ createdBy, tenantId }: Pick<Job, 'createdBy' | 'tenantId'>) =>
        isLocalOperator({ id: createdBy }) ? operatorOf(tenantId) : principalOfUser(store, createdBy)
      const running = { store, clock, lease, useCases, changeTag, sendCommand, principalOf }
      return async () => ((await runJobs(running, signal)) ? SOON_MS : LATER_MS)
    },
    fault: 'a job could not go on',
  })
  return { ...passes, useCases: createJobs({ store, clock, newUuid, onCreated: () => void run() }) }
}

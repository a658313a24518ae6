import { type Check, failure, fine, skipped, warning } from '../../domain/check.ts'
import type { DatabaseCare, Standby } from '../ports/database-maintenance.ts'
import { few, type HealthCheck } from './doctor.ts'

/** Whether what was answered survives a power failure, and on a database server also the loss of its disk. */
export function durabilityChecks(care: DatabaseCare): HealthCheck[] {
  const durability = { name: 'durability', run: async () => [await durabilityCheck(care)] }
  if (care.server === null) return [durability]
  const standby = { name: 'standby', run: async () => [standbyCheck(await care.standby())] }
  return [durability, standby]
}

async function durabilityCheck(care: DatabaseCare): Promise<Check> {
  const name = 'durability'
  const problems = await care.durabilityProblems()
  if (problems.length > 0) {
    const fix = care.server === null ? 'restart fiskd, and report this if it stays' : 'set it to on in postgresql.conf'
    return failure(name, few(problems), fix)
  }
  const defaults = await care.durabilityDefaults()
  if (defaults.length > 0) return warning(name, few(defaults), 'set it to on in postgresql.conf')
  return fine(name, 'what is answered is on the disk')
}

const SET_UP =
  'let a streaming standby on another machine follow, name it in synchronous_standby_names in postgresql.conf, and ' +
  'reload PostgreSQL; where the disk itself is kept twice, this is well as it is'

function standbyCheck(standby: Standby): Check {
  const name = 'standby'
  switch (standby) {
    case 'waited for':
      return fine(name, 'each commit waits for a standby')
    case 'none':
      return warning(name, 'PostgreSQL has no standby: with its disk everything since the last dump is lost', SET_UP)
    case 'asynchronous':
      return warning(
        name,
        'no commit waits for a standby: a failover loses the latest sales, whose receipts are printed',
        SET_UP,
      )
    case 'not connected':
      return warning(
        name,
        'synchronous_standby_names wants a standby, and none of that name is connected: commits wait for it',
        'start the standby, or correct its name: SELECT application_name, sync_state FROM pg_stat_replication',
      )
    case 'not shown':
      return skipped(
        name,
        'PostgreSQL does not show fiskd whether a standby is connected',
        'grant pg_read_all_stats to the role of FISKD_DATABASE_URL',
      )
  }
}

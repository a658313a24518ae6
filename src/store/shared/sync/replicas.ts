import type { Replicas } from '../../../fiscal/ports/replicas.ts'
import { BrokenRule } from '../../../fiscal/ports/store.ts'
import { type Db, refusingDuplicates } from '../../sqlite/connection.ts'
import { knownRows } from './replica-reads.ts'
import { writeReplicas } from './replica-writes.ts'

export function replicas(db: Db): Replicas {
  return {
    known: (records) => knownRows(db, records),
    async write(gateway, changes) {
      try {
        await refusingDuplicates(db, () => writeReplicas(db, gateway, changes))
      } catch (error) {
        const rule = brokenRule(error)
        throw rule === undefined ? error : new BrokenRule(rule, error)
      }
    },
  }
}

/** SQLite names the rule in its message, as our triggers do; PostgreSQL names it in `constraint`. */
function brokenRule(error: unknown): string | undefined {
  const { code, message, constraint } = error as { code?: unknown; message?: unknown; constraint?: unknown }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('SQLITE_CONSTRAINT')) return String(message)
  if (code.startsWith('23')) return typeof constraint === 'string' ? constraint : String(message)
  return undefined
}

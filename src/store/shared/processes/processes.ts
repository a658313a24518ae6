import { PostgresAdapter } from 'kysely'
import type { ProcessRows } from '../../../fiscal/ports/rows/processes.ts'
import type { Db } from '../../sqlite/connection.ts'

export function processes(db: Db): ProcessRows {
  return {
    async list() {
      if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return []
      return db.selectFrom('processes').select(['id', 'host', 'pid', 'version', 'startedAt']).orderBy('id').execute()
    },
  }
}

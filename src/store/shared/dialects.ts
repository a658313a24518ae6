import { PostgresAdapter } from 'kysely'
import type { Db } from '../sqlite/connection.ts'

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

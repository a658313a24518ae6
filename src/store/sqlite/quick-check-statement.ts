import type Database from 'better-sqlite3'
import { readDatabase } from './with-database.ts'

/** Runs SQLite's check of every page. @returns at most ten problems; none when the file is undamaged */
export function runQuickCheck(database: Database.Database): string[] {
  const rows = database.pragma('quick_check(10)') as { quick_check: string }[]
  return rows.map((row) => row.quick_check).filter((row) => row !== 'ok')
}

/** The same on its own connection. @throws SqliteError when the file cannot be read as a database */
export const runQuickCheckOfFile = (path: string): string[] => readDatabase(path, runQuickCheck)

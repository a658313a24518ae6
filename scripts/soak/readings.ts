import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { ask } from '../chaos/http.ts'
import type { Shop } from '../chaos/shop.ts'

/** What the daemon uses at a moment. */
export interface Reading {
  at: number
  /** Resident memory, and the share of it that is its own; the heap of JavaScript. MB of 1024 kB. */
  residentMb: number
  proportionalMb: number
  heapMb: number
  openFiles: number
  /** What keeps the event loop busy: sockets, timers, child processes. */
  handles: number
  logMb: number
}

const MB = 1024 * 1024

/** @throws Error when the daemon does not answer */
export async function readDaemon(pid: number, shop: Shop, dataDir: string): Promise<Reading> {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
  const mbOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024
  const openFiles = readdirSync(`/proc/${pid}/fd`).length
  const answer = await ask(shop.target, { path: '/metrics' })
  if (answer?.status !== 200) throw new Error(`/metrics: ${answer?.text ?? 'no answer'}`)
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(answer.text)?.[1])
  return {
    at: Date.now(),
    residentMb: mbOf('Rss'),
    proportionalMb: mbOf('Pss'),
    heapMb: metric('nodejs_heap_size_used_bytes') / MB,
    openFiles,
    handles: metric('nodejs_active_handles_total'),
    logMb: sizeOf(join(dataDir, 'fiskd.db-wal')) / MB,
  }
}

/** What is on the disk at the end of a day. */
export interface Stock {
  /** Bytes of the database that hold something. */
  databaseBytes: number
  files: number
  backups: number
}

/** The database is opened beside the daemon, as a backup does. */
export function readDisk(dataDir: string, backupDir: string): Stock {
  const db = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  try {
    const of = (name: string) => Number(db.pragma(name, { simple: true }))
    const databaseBytes = (of('page_count') - of('freelist_count')) * of('page_size')
    const files = readdirSync(dataDir, { recursive: true }).length
    return { databaseBytes, files, backups: readdirSync(backupDir).length }
  } finally {
    db.close()
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

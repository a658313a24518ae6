import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What the main thread of a daemon allocated on the heap of the engine, and how often it was collected. */
export interface Allocated {
  bytes: number
  /** Bytes of it that outlived two collections of the young generation. */
  promoted: number
  /** Collections of the young generation, and steps of the old one. */
  young: number
  old: number
}

/** What it asked of SQLite and of its keys beside that. */
export interface Worked extends Allocated {
  statements: number
  /** Statements that SQLite had to compile. */
  compiled: number
  transactions: number
  signatures: number
  checks: number
}

/** What makes a daemon count, for the order of its environment. @param socketPath where it tells */
export const countingAllocationsAt = (socketPath: string) => counting('allocation-counter.mjs', socketPath)

/** The same, with the engine's optimizing compilers off: it allocates more, and as much in every run. */
export const countingWorkAt = (socketPath: string) => counting('work-counter.mjs', socketPath)

const counting = (counter: string, socketPath: string) => ({
  preloads: [fileURLToPath(new URL(counter, import.meta.url))],
  env: { BENCH_COUNTS: socketPath },
})

/** Since the last time that it was asked. @param socketPath of a daemon that counts just this */
export async function countedSince<Counted extends Allocated = Allocated>(socketPath: string): Promise<Counted> {
  const socket = connect(socketPath)
  socket.write('count\n')
  return JSON.parse(await text(socket))
}

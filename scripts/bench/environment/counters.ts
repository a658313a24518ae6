import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What a daemon asked of SQLite and of its keys. */
export interface Worked {
  statements: number
  /** Statements that SQLite had to compile. */
  compiled: number
  transactions: number
  signatures: number
  checks: number
}

/** What makes a daemon count, for the order of its environment. @param socketPath where it tells */
export const countingWorkAt = (socketPath: string) => ({
  preloads: [fileURLToPath(new URL('work-counter.mjs', import.meta.url))],
  env: { BENCH_COUNTS: socketPath },
})

/** Since the last time that it was asked. @param socketPath of a daemon that counts just this */
export async function countedSince(socketPath: string): Promise<Worked> {
  const socket = connect(socketPath)
  socket.write('count\n')
  return JSON.parse(await text(socket))
}

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What the main thread of a daemon allocated on the heap of the engine, and how often it was collected. */
export interface Allocated {
  bytes: number
  /** Collections of the young generation, and steps of the old one. */
  young: number
  old: number
}

/** What makes a daemon count, for the order of its environment. @param socketPath where it tells */
export function countingAt(socketPath: string) {
  return {
    preloads: [fileURLToPath(new URL('allocation-counter.mjs', import.meta.url))],
    env: { BENCH_ALLOCATIONS: socketPath },
  }
}

/** Since the last time that it was asked. */
export async function allocatedSince(socketPath: string): Promise<Allocated> {
  const socket = connect(socketPath)
  socket.write('count\n')
  return JSON.parse(await text(socket))
}

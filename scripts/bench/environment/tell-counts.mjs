import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** Answers each line on the socket that BENCH_COUNTS names with what was counted since the line before it. */
export function tellCounts(take) {
  const server = createServer((socket) => {
    createInterface({ input: socket }).on('line', () => socket.end(JSON.stringify(take())))
  })
  // Of the life before.
  rmSync(process.env.BENCH_COUNTS, { force: true })
  server.listen(process.env.BENCH_COUNTS)
  server.unref()
}

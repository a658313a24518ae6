// Loaded before the daemon that is profiled: obeys one line on a socket, and says when it is done.
import { rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { writeHeapSnapshot } from 'node:v8'

const SAMPLE_EVERY_US = 500
const SAMPLE_EVERY_BYTES = 8192

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })

const orders = {
  start: () => session.post('Profiler.start'),
  async stop(path) {
    const { profile } = await session.post('Profiler.stop')
    writeFileSync(path, JSON.stringify(profile), { mode: 0o600 })
  },
  // What is collected counts, too: all that was allocated, not what is left.
  allocate: () =>
    session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLE_EVERY_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    }),
  async allocated(path) {
    const { profile } = await session.post('HeapProfiler.stopSampling')
    writeFileSync(path, JSON.stringify(profile), { mode: 0o600 })
  },
  async snapshot(path) {
    // The umask of the daemon would let its group read what holds keys.
    const before = process.umask(0o077)
    writeHeapSnapshot(path)
    process.umask(before)
  },
}

const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', async (line) => {
    const [order, path] = line.split(' ')
    const problem = await orders[order](path).then(
      () => '',
      (error) => String(error),
    )
    socket.end(`${problem}\n`)
  })
})
// Of the life before.
rmSync(process.env.BENCH_PROFILER, { force: true })
server.listen(process.env.BENCH_PROFILER)
server.unref()

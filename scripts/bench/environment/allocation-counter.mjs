// Loaded before the daemon under measurement: counts what its main thread allocates. Each line on the socket is answered with the
// bytes since the line before it: on the heap, by what was in use before each collection and after the one before it,
// and in how many collections of both generations.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { GCProfiler, getHeapStatistics } from 'node:v8'

let profiler = new GCProfiler()
let usedAt = 0
const begin = () => {
  profiler = new GCProfiler()
  profiler.start()
  usedAt = getHeapStatistics().used_heap_size
}

function counted() {
  const { statistics = [] } = profiler.stop() ?? {}
  let used = usedAt
  let bytes = 0
  for (const { beforeGC, afterGC } of statistics) {
    bytes += beforeGC.heapStatistics.usedHeapSize - used
    used = afterGC.heapStatistics.usedHeapSize
  }
  bytes += getHeapStatistics().used_heap_size - used
  const young = statistics.filter(({ gcType }) => gcType === 'Scavenge' || gcType === 'MinorMarkSweep')
  return { bytes, young: young.length, old: statistics.length - young.length }
}

begin()
const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', () => {
    const found = counted()
    begin()
    socket.end(JSON.stringify(found))
  })
})
// Of the life before.
rmSync(process.env.BENCH_ALLOCATIONS, { force: true })
server.listen(process.env.BENCH_ALLOCATIONS)
server.unref()

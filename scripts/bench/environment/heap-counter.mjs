import { GCProfiler, getHeapStatistics } from 'node:v8'

/**
 * Counts what the main thread allocates on the heap, by what was in use before each collection and after the one before it,
 * in how many collections of both generations, and what of it those of the young one moved to the old one.
 * @returns what was counted since the call before
 */
export function countHeap() {
  let profiler
  let usedAt
  const begin = () => {
    profiler = new GCProfiler()
    profiler.start()
    usedAt = getHeapStatistics().used_heap_size
  }
  begin()
  return () => {
    const { statistics = [] } = profiler.stop() ?? {}
    let used = usedAt
    let bytes = 0
    for (const { beforeGC, afterGC } of statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - used
      used = afterGC.heapStatistics.usedHeapSize
    }
    bytes += getHeapStatistics().used_heap_size - used
    const young = statistics.filter(({ gcType }) => gcType === 'Scavenge' || gcType === 'MinorMarkSweep')
    const promoted = young.reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0)
    begin()
    return { bytes, promoted, young: young.length, old: statistics.length - young.length }
  }
}

const oldBytes = ({ heapSpaceStatistics }) =>
  heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space').spaceUsedSize

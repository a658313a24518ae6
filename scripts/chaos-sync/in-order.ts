import { Worker } from 'node:worker_threads'

const now = () => Number(process.hrtime.bigint()) / 1e6

/** What waking up takes on a machine that does nothing else: so much earlier the alarm is set. */
const EARLY_MS = 0.3

/** Does things some time later, in the order in which they were given; at once when no time is to pass. */
export function inOrder(): (delayMs: number, work: () => void) => void {
  const waiting: { due: number; work: () => void }[] = []
  const shared = new SharedArrayBuffer(16)
  const times = new Int32Array(shared, 0, 1)
  const moment = new Float64Array(shared, 8, 1)
  let rings = false

  function set(due: number): void {
    if (!rings) start()
    moment[0] = due - EARLY_MS
    Atomics.add(times, 0, 1)
    Atomics.notify(times, 0)
  }

  function start(): void {
    rings = true
    const alarm = new Worker(new URL('alarm.mjs', import.meta.url), { workerData: shared, execArgv: [] })
    alarm.on('message', doWhatIsDue)
    alarm.unref()
  }

  function doWhatIsDue(): void {
    let [next] = waiting
    while (next && next.due <= now() + EARLY_MS) {
      waiting.shift()
      next.work()
      next = waiting[0]
    }
    if (next) set(next.due)
  }

  return (delayMs, work) => {
    if (delayMs === 0 && waiting.length === 0) return work()
    const due = now() + delayMs
    waiting.push({ due, work })
    if (waiting.length === 1) set(due)
  }
}

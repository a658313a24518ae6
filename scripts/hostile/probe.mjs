// Preloaded into a daemon: tells how long its loop was held and what memory it keeps, and plants what it is told to.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 20
const LEAST_MS = Number(process.env.HOSTILE_PROBE_LEAST_MS ?? 100)
const file = process.env.HOSTILE_PROBE

/**
 * Nanoseconds of processor time of the main thread: on a machine that does other things, too, the loop may be late without
 * anybody holding it.
 */
const busyNs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0])

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
  // V8 forgets compiled code that no collection has seen in use for long: ours, one after another, would have it compiled anew.
  setFlagsFromString('--no-flush-bytecode')
  const gc = runInNewContext('gc')
  let [at, busy] = [performance.now(), busyNs()]
  setInterval(() => {
    const [now, busyNow] = [performance.now(), busyNs()]
    const [gapMs, heldMs] = [now - at - EVERY_MS, (busyNow - busy) / 1e6]
    if (gapMs > LEAST_MS) appendFileSync(file, `${JSON.stringify({ heldMs: Math.min(gapMs, heldMs) })}\n`)
    ;[at, busy] = [now, busyNow]
  }, EVERY_MS).unref()
  // One of the few signals that do not end the daemon.
  process.on('SIGWINCH', () => {
    gc()
    gc()
    const { heapUsed, external } = process.memoryUsage()
    writeFileSync(`${file}.memory`, JSON.stringify({ bytes: heapUsed + external, at: performance.now() }))
    // Asking was no request.
    ;[at, busy] = [performance.now(), busyNs()]
  })
  const planted = process.env.HOSTILE_DEFECTS
  if (planted) (await import('./defects.mjs')).plant(planted.split(','))
}

// Sleeps until the moment it is set to, to a tenth of a millisecond, and says so: timers of Node count whole milliseconds.
import { parentPort, workerData } from 'node:worker_threads'

const times = new Int32Array(workerData, 0, 1)
const moment = new Float64Array(workerData, 8, 1)
let rung = 0
for (;;) {
  const time = Atomics.load(times, 0)
  const left = time === rung ? Number.POSITIVE_INFINITY : moment[0] - Number(process.hrtime.bigint()) / 1e6
  if (left > 0 && Atomics.wait(times, 0, time, left) !== 'timed-out') continue
  rung = time
  parentPort.postMessage(time)
}

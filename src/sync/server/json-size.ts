import { setImmediate } from 'node:timers/promises'
import { SYNC_BOUNDS } from '../wire/bounds.ts'

/** So many bytes are looked at without a pause. */
const STEP = 2 * 1024 * 1024

const [BRACE, BRACKET, COMMA] = [0x7b, 0x5b, 0x2c]

/** Whether JSON has more values than are taken: to read them costs a hundred times what it costs to count them. */
export async function hasTooManyValues(json: Uint8Array, most = SYNC_BOUNDS.values.most): Promise<boolean> {
  let values = 0
  for (let start = 0; start < json.length; start += STEP) {
    if (start > 0) await setImmediate()
    const step = json.subarray(start, start + STEP)
    for (const mark of [COMMA, BRACE, BRACKET]) {
      for (let at = step.indexOf(mark); at >= 0; at = step.indexOf(mark, at + 1)) if (++values > most) return true
    }
  }
  return false
}

import { bit, isOffline, type State } from '../condition.ts'
import { errorBits } from '../escpos/status.ts'
import type { Model } from '../model.ts'

const LENGTH = 9
/** The number of bytes in bits 1 to 3, 5 and 6 [V: 7 is 0F, 9 is 23]. */
const HEADER = 1 | ((LENGTH & 0x07) << 1) | ((LENGTH >> 3) << 5)

/**
 * The automatic status, version 3: two headers and seven bytes; bits 0 and 4 are 1 in the first header only or never
 * (Star Line Mode Command Specifications, appendix 2 [V]). On a network a length of data that follow comes after it,
 * which bit 7 of the second header says [V: SP700, BD500].
 */
export function automaticStatus(state: State, { networkStatus }: Pick<Model, 'networkStatus'>): Uint8Array {
  const status = [HEADER, 0x06 | bit(7, networkStatus), ...parts(state)]
  return Uint8Array.from(networkStatus ? [...status, 0, 0] : status)
}

/** The answer to ENQ and, on a network, what it is wrapped in [V]. */
export function enqStatus(state: State, model: Model): Uint8Array {
  const { condition, bufferEmpty } = state
  const { paper, cover, error } = condition
  const other = cover === 'open' || error === 'unrecoverable'
  return answer(1, bit(2, other) | bit(3, paper === 'out') | bit(5, bufferEmpty), state, model)
}

/** The answer to EOT: the paper [V]. */
export function eotStatus(state: State, model: Model): Uint8Array {
  const { paper } = state.condition
  return answer(2, 0x10 | bit(2, paper !== 'ok') | bit(3, paper === 'out'), state, model)
}

function answer(kind: number, status: number, state: State, model: Model): Uint8Array {
  if (!model.networkStatus) return Uint8Array.of(status)
  const data = Buffer.concat([Buffer.from(`0${kind}:B`), Buffer.of(0, 1, status), Buffer.from(';')])
  return Buffer.concat([automaticStatus(state, model).subarray(0, LENGTH), Buffer.of(0, data.length), data])
}

function parts({ condition, counters }: State): number[] {
  const { paper, cover, error } = condition
  const { ends, endReached } = counters
  const offline = isOffline(condition)
  return [
    bit(1, endReached) | bit(3, offline) | bit(5, cover === 'open'),
    errorBits(error),
    0,
    bit(2, paper !== 'ok') | bit(3, paper === 'out'),
    0,
    ((ends & 0x07) << 1) | ((ends >> 3) << 5),
    0,
  ]
}

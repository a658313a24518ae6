import type { Sorter } from './dialect.ts'

/** @returns how many bytes were understood or dropped; 0 when they mean nothing; `undefined` when more are needed */
export type Read = (bytes: Uint8Array, at: number) => number | undefined

/** XON and XOFF. */
export const isFlowControl = (byte: number | undefined) => byte === 0x11 || byte === 0x13

/**
 * Reads answers from bytes that come in any pieces. A byte that means nothing is dropped and counted. `read` must cost
 * the same for every place, because the device on the line may be anything and send any amount.
 */
export function createSorter(read: Read): Sorter {
  /** An answer whose end has not come yet. */
  let unfinished = new Uint8Array(0)
  let garbage = 0

  return {
    push(arrived) {
      const bytes = unfinished.length === 0 ? arrived : joined(unfinished, arrived)
      let at = 0
      while (at < bytes.length) {
        const taken = read(bytes, at)
        if (taken === undefined) break
        if (taken === 0) garbage += 1
        at += taken || 1
      }
      // A copy, because a view would keep the whole input in memory.
      unfinished = Uint8Array.from(bytes.subarray(at))
    },
    get garbage() {
      return garbage
    },
  }
}

/** @returns how many bytes the block at a place has; 0 when it is none; `undefined` when it may become one */
export function block(
  bytes: Uint8Array,
  at: number,
  length: number,
  test: (byte: number, index: number) => boolean,
): number | undefined {
  const end = Math.min(at + length, bytes.length)
  for (let next = at; next < end; next++) if (!test(bytes[next] ?? 0, next - at)) return 0
  return end - at < length ? undefined : length
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

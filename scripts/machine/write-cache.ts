import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { type DiskWrite, type Loss, survivorsOf } from './power-loss.ts'

/** An image file that holds what is durable, and before it in memory what is not yet. */
export interface WriteCache {
  size: number
  read(offset: number, length: number): Buffer
  /** Held in memory until the next flush. */
  write(offset: number, data: Buffer): void
  /** Durable at once, while what was written before it may wait on. */
  writeThrough(offset: number, data: Buffer): void
  /** Makes everything durable that was written so far. */
  flush(): void
  /** How many writes are not durable. */
  waiting(): number
  /** Loses what is not durable, but for what survives. @returns how many writes were lost or torn, of how many */
  lose(loss: Loss): { lost: number; of: number }
  close(): void
}

/** A card's cache is small: of more than this the oldest part is written, as a card does by itself. */
const CAPACITY = 32 * 1024 * 1024

/** Opens an image as a disk with a volatile write cache. */
export function openWriteCache(image: string): WriteCache {
  const file = openSync(image, 'r+')
  let waiting: DiskWrite[] = []
  let bytes = 0

  const store = ({ offset, data }: DiskWrite) => void writeSync(file, data, 0, data.length, offset)

  function flush(): void {
    for (const write of waiting) store(write)
    waiting = []
    bytes = 0
  }

  return {
    size: fstatSync(file).size,
    read(offset, length) {
      const result = Buffer.alloc(length)
      readSync(file, result, 0, length, offset)
      for (const write of waiting) overlay(result, offset, write)
      return result
    },
    write(offset, data) {
      waiting.push({ offset, data: Buffer.from(data) })
      bytes += data.length
      while (bytes > CAPACITY) {
        const oldest = waiting.shift()
        if (!oldest) return
        bytes -= oldest.data.length
        store(oldest)
      }
    },
    writeThrough(offset, data) {
      // What was written here before must not come over it later.
      waiting = waiting.flatMap((write) => without(write, offset, data.length))
      bytes = waiting.reduce((sum, write) => sum + write.data.length, 0)
      store({ offset, data })
    },
    flush,
    waiting: () => waiting.length,
    lose(loss) {
      const of = waiting.length
      const { writes, lost } = survivorsOf(waiting, loss)
      waiting = writes
      flush()
      return { lost, of }
    },
    close: () => closeSync(file),
  }
}

/** Puts what a write has in common with a range over what was read of it. */
function overlay(result: Buffer, offset: number, write: DiskWrite): void {
  const start = Math.max(offset, write.offset)
  const end = Math.min(offset + result.length, write.offset + write.data.length)
  if (start < end) write.data.copy(result, start - offset, start - write.offset, end - write.offset)
}

/** What is left of a write outside of a range. */
function without(write: DiskWrite, offset: number, length: number): DiskWrite[] {
  const before = Math.max(0, Math.min(write.data.length, offset - write.offset))
  const after = Math.max(0, Math.min(write.data.length, offset + length - write.offset))
  if (before >= after) return [write]
  return [
    { offset: write.offset, data: write.data.subarray(0, before) },
    { offset: write.offset + after, data: write.data.subarray(after) },
  ].filter(({ data }) => data.length > 0)
}

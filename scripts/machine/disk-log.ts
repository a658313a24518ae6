import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { DiskWrite } from './power-loss.ts'

/** One thing that happened to a disk. A mark is an answered flush, or an answered write with FUA. */
export type DiskEvent =
  | { kind: 'write'; offset: number; length: number; at: number; start: number }
  | { kind: 'mark'; of: 'flush' | 'fua'; at: number }

/** Everything that was written to a disk, in the order in which it came, with the marks between. */
export interface DiskLog {
  events: readonly DiskEvent[]
  write(offset: number, data: Buffer): void
  mark(of: 'flush' | 'fua'): void
  /** What a write wrote. @throws Error when the event is no write of this log */
  read(event: DiskEvent): DiskWrite
  close(): void
}

/**
 * Keeps a log in a file.
 * @param now the moment of an event, on a clock that its readers share
 */
export function openDiskLog(path: string, now: () => number): DiskLog {
  const file = openSync(path, 'w+')
  const events: DiskEvent[] = []
  let end = 0
  return {
    events,
    write(offset, data) {
      writeSync(file, data, 0, data.length, end)
      events.push({ kind: 'write', offset, length: data.length, at: now(), start: end })
      end += data.length
    },
    mark: (of) => void events.push({ kind: 'mark', of, at: now() }),
    read(event) {
      if (event.kind !== 'write') throw new Error('a mark has no bytes')
      const data = Buffer.alloc(event.length)
      readSync(file, data, 0, event.length, event.start)
      return { offset: event.offset, data }
    },
    close: () => closeSync(file),
  }
}

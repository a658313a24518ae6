import { closeSync, constants, copyFileSync, openSync, writeSync } from 'node:fs'
import type { DiskEvent, DiskLog } from './disk-log.ts'
import { type DiskWrite, type Loss, survivorsOf } from './power-loss.ts'

/** A disk on which the writes of a log happen once more, up to where one likes. */
export interface Replay {
  /** Marks that the log has. */
  marks: number
  /**
   * Goes on to a mark, counted from 1; 0 is the disk as it was.
   * @throws Error for a mark that was passed already, or that the log does not have
   */
  to(mark: number): void
  /** Copies the disk as it is now. @param target an image that is made or written over */
  copy(target: string): void
  /**
   * Copies the disk as it may be when the current goes between this mark and the next: of the writes between the two some
   * survive.
   * @returns how many writes were lost or torn, of how many
   */
  copyTorn(target: string, loss: Loss): { lost: number; of: number }
  /** When a mark was made; infinite for one that never was. */
  momentOf(mark: number): number
  close(): void
}

/**
 * @param image the disk as it was when the log began; it is changed
 */
export function openReplay(image: string, log: DiskLog): Replay {
  const file = openSync(image, 'r+')
  const segments = segmentsOf(log.events)
  let mark = 0

  const writesAfter = (index: number): DiskWrite[] => (segments[index]?.writes ?? []).map((event) => log.read(event))

  return {
    marks: segments.length - 1,
    to(wanted) {
      if (wanted < mark || wanted >= segments.length) throw new Error(`mark ${wanted} cannot be reached from ${mark}`)
      for (; mark < wanted; mark++) for (const write of writesAfter(mark)) put(file, write)
    },
    copy: (target) => copyFileSync(image, target, constants.COPYFILE_FICLONE),
    copyTorn(target, loss) {
      copyFileSync(image, target, constants.COPYFILE_FICLONE)
      const waiting = writesAfter(mark)
      const { writes, lost } = survivorsOf(waiting, loss)
      const copy = openSync(target, 'r+')
      for (const write of writes) put(copy, write)
      closeSync(copy)
      return { lost, of: waiting.length }
    },
    momentOf: (wanted) => segments[wanted - 1]?.endsAt ?? Number.POSITIVE_INFINITY,
    close: () => closeSync(file),
  }
}

const put = (file: number, { offset, data }: DiskWrite) => void writeSync(file, data, 0, data.length, offset)

interface Segment {
  writes: DiskEvent[]
  /** Of the mark that ends it. */
  endsAt: number
}

/** The writes between marks; the last segment has what no mark follows. */
function segmentsOf(events: readonly DiskEvent[]): Segment[] {
  const segments: Segment[] = []
  let writes: DiskEvent[] = []
  for (const event of events) {
    if (event.kind === 'write') {
      writes.push(event)
      continue
    }
    segments.push({ writes, endsAt: event.at })
    writes = []
  }
  return [...segments, { writes, endsAt: Number.POSITIVE_INFINITY }]
}

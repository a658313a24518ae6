import { closeSync, openSync, readSync } from 'node:fs'

/** Sizes of SQLite's write-ahead log: its header, and what stands before each page in it. */
const HEADER = 32
const FRAME = 24

/** Watches which pages of a database are written to its log, while another process writes it. */
export interface LogFrames {
  /** Notes what was written since the last look; several times a second, so that no round of the log is missed. */
  look(): void
  /** Each page that was written so far, as often as it was written. */
  pages(): readonly number[]
  /** Bytes of the log so far, with what stands before each page. */
  bytes(): number
}

interface Round {
  pageSize: number
  /** How often the log was begun anew: SQLite counts it up by one each time. */
  salt: number
}

/** Often enough to see every round of a log of 5 MB, by who sells in this process. */
const LOOK_MS = 10

/** Looks all along the work. */
export async function lookingDuring<T>({ look }: LogFrames, work: () => Promise<T>): Promise<T> {
  const looking = setInterval(look, LOOK_MS)
  try {
    return await work()
  } finally {
    clearInterval(looking)
    look()
  }
}

/** @throws Error when the log was begun anew twice between two looks */
export function watchLog(path: string): LogFrames {
  const pages: number[] = []
  let bytes = 0
  let round: Round | undefined
  let next = 0

  function collect(file: number, { pageSize, salt }: Round): void {
    const frame = Buffer.alloc(FRAME)
    for (;;) {
      const at = HEADER + next * (FRAME + pageSize)
      if (readSync(file, frame, 0, FRAME, at) < FRAME || frame.readUInt32BE(8) !== salt) return
      pages.push(frame.readUInt32BE(0))
      bytes += FRAME + pageSize
      next++
    }
  }

  function look(): void {
    const file = openSync(path, 'r')
    try {
      const header = Buffer.alloc(HEADER)
      if (readSync(file, header, 0, HEADER, 0) < HEADER) return
      const now = { pageSize: header.readUInt32BE(8), salt: header.readUInt32BE(16) }
      // What the round before wrote last is still behind the beginning of the new one.
      if (round) collect(file, round)
      if (round?.salt === now.salt) return
      if (round && now.salt !== (round.salt + 1) >>> 0)
        throw new Error('the log was begun anew twice between two looks')
      round = now
      next = 0
      collect(file, now)
    } finally {
      closeSync(file)
    }
  }

  return { look, pages: () => pages, bytes: () => bytes }
}

import { LineError } from './line.ts'

/** What a line is used for from when it is open until it is lost. */
export interface LineSession {
  /** Whether it can be used. */
  readonly isOpen: boolean
  /** Resolves when it cannot be used any more, with the reason where it was not closed by us. */
  readonly ended: Promise<LineError | undefined>
  close(deliverMs?: number): Promise<void>
}

/** A line that is opened again whenever it has broken: unplugged, switched off, refused. */
export interface Connection<Session extends LineSession> {
  start(): void
  /** The session on the line that is open now. */
  current(): Session | undefined
  /** Why there is none, where it was not closed by us. */
  why(): LineError | undefined
  /** Somebody waits: the next attempt is made soon. */
  hurry(): void
  /** @param deliverMs what is on its way gets so long to arrive */
  close(deliverMs: number): Promise<void>
}

export interface ConnectionDeps<Session extends LineSession> {
  /** @throws LineError */
  open: () => Promise<Session>
  /** The pauses between attempts grow from the first to the last; a line that holds for longer than the last sets them back. */
  reopenMs: { first: number; last: number }
  /** A line was opened, was lost, or could not be opened. */
  changed: () => void
}

export function createConnection<Session extends LineSession>({
  open,
  reopenMs,
  changed,
}: ConnectionDeps<Session>): Connection<Session> {
  let current: Session | undefined
  let why: LineError | undefined
  let running: Promise<void> | undefined
  let stopped = false
  let endPause = () => {}
  let hurry = () => {}

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The first pause is made in any case: what is plugged in needs a moment to be there. */
  async function pauseBefore(ms: number): Promise<void> {
    let hurried = false
    hurry = () => {
      hurried = true
    }
    await pause(reopenMs.first)
    if (hurried || stopped) return
    hurry = () => endPause()
    await pause(ms - reopenMs.first)
  }

  /** @returns when it has ended */
  async function oneLine(): Promise<void> {
    current = await open()
    why = undefined
    if (stopped) await current.close()
    else changed()
    why = await current.ended
    // Frees the device before it is opened again.
    await current.close()
    current = undefined
  }

  async function run(): Promise<void> {
    let pauseMs = reopenMs.first
    while (!stopped) {
      const startedAt = performance.now()
      try {
        await oneLine()
        // A host that takes connections only to drop them is not asked again and again.
        if (performance.now() - startedAt > reopenMs.last) pauseMs = reopenMs.first
      } catch (error) {
        why = asLineError(error)
      }
      if (stopped) return
      changed()
      await pauseBefore(pauseMs)
      pauseMs = Math.min(pauseMs * 2, reopenMs.last)
    }
  }

  return {
    start() {
      running ??= run()
    },
    current: () => (current?.isOpen ? current : undefined),
    why: () => why,
    hurry: () => hurry(),
    async close(deliverMs) {
      stopped = true
      endPause()
      await current?.close(deliverMs)
      await running
    },
  }
}

function asLineError(error: unknown): LineError {
  if (error instanceof LineError) return error
  const fix = 'Report this to the makers of fiskd.'
  return new LineError('broken', `The line cannot be opened: ${String(error)}.`, fix, { cause: error })
}

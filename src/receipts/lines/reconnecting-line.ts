import { LineError } from './line.ts'

/** The use of a line from its opening until its loss. */
export interface LineSession {
  readonly isOpen: boolean
  /** Resolves when the line ended; with the reason unless we closed it. */
  readonly ended: Promise<LineError | undefined>
  close(deliverMs?: number): Promise<void>
}

export interface ConnectionDeps<Session extends LineSession> {
  /** @throws LineError */
  open: () => Promise<Session>
  /** Pauses between attempts grow from `first` to `last`; a line that holds for longer than `last` resets them. */
  reopenMs: { first: number; last: number }
  /** A line was opened, was lost, or could not be opened. */
  changed: () => void
}

/** A line that is opened again after each break: unplugged, switched off, refused. */
export function createConnection<Session extends LineSession>({ open, reopenMs, changed }: ConnectionDeps<Session>) {
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

  /** The first pause is never shortened, because a device needs a moment after it was plugged in. */
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

  /** Opens a line and resolves when it has ended. */
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
        // A host that accepts connections only to drop them is tried less often.
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
    start(): void {
      running ??= run()
    },
    current: () => (current?.isOpen ? current : undefined),
    /** Why there is no session; undefined when we closed it. */
    why: () => why,
    /** Makes the next attempt soon, because a caller waits. */
    hurry: () => hurry(),
    /** @param deliverMs time for unsent bytes to arrive */
    async close(deliverMs: number): Promise<void> {
      stopped = true
      endPause()
      await current?.close(deliverMs)
      await running
    },
  }
}

function asLineError(error: unknown): LineError {
  if (error instanceof LineError) return error
  const fix = { en: 'Report this to the makers of fiskd.', hr: 'Prijavite to autorima programa fiskd.' }
  const said = { en: `The line cannot be opened: ${error}.`, hr: `Priključak se ne može otvoriti: ${error}.` }
  return new LineError('broken', said, fix, error)
}

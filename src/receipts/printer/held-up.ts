/**
 * When this process is blocked for longer than this, by a slow disk or a busy machine, what it waits for may have come
 * unnoticed: it waits for the same time again.
 */
const HELD_UP_MS = 100

/** Acts after so long, in which this process was able to notice what came. @returns a function that prevents it */
export function actUnlessHeldUp(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout
  function wait(forMs: number): void {
    const due = performance.now() + forMs
    timer = setTimeout(() => {
      if (performance.now() - due > HELD_UP_MS) wait(HELD_UP_MS)
      else act()
    }, forMs)
  }
  wait(ms)
  return () => clearTimeout(timer)
}

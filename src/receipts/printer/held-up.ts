/**
 * When this process is blocked for longer than this, by a slow disk or a busy machine, what it waits for may have come
 * unnoticed: it waits for so long again.
 */
const HELD_UP_MS = 100

/** Where it is blocked all the time, an end has to come. */
const MOST_TIMES = 20

/** Acts after so long, in which this process was able to notice what came. @returns a function that prevents it */
export function actUnlessHeldUp(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout
  let times = 0
  function wait(forMs: number): void {
    const due = performance.now() + forMs
    timer = setTimeout(() => {
      times += 1
      if (performance.now() - due > HELD_UP_MS && times <= MOST_TIMES) wait(HELD_UP_MS)
      else act()
    }, forMs)
  }
  wait(ms)
  return () => clearTimeout(timer)
}

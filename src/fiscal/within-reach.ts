import { DatabaseAway, type DatabaseReach, NEVER_AWAY } from './ports/store.ts'

/** How long a request waits for a database that is away, in milliseconds. */
const PATIENCE_MS = 3_000

/**
 * Resolves as the work does, unless the database is away for too long. The work goes on then: what it has received from
 * the tax authority is stored when the database is back.
 * @param onLate told when work fails that nobody waits for any more @throws DatabaseAway
 */
export async function withinReach<T>(
  reach: DatabaseReach,
  work: () => Promise<T>,
  onLate: (error: unknown) => void,
): Promise<T> {
  if (reach === NEVER_AWAY) return work()
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const stops: (() => void)[] = []
  const tooLong = new Promise<never>((_resolve, reject) => {
    const wait = (away: DatabaseAway) => {
      timer ??= setTimeout(() => {
        isLate = true
        reject(away)
      }, PATIENCE_MS)
    }
    stops.push(
      reach.onAway(wait),
      reach.onBack(() => {
        clearTimeout(timer)
        timer = undefined
      }),
    )
    const away = reach.away()
    if (away) wait(away)
  })
  const running = work()
  running.catch((error: unknown) => {
    if (isLate && !(error instanceof DatabaseAway)) onLate(error)
  })
  return Promise.race([running, tooLong]).finally(() => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  })
}

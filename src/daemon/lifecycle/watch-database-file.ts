import type { Config } from '../config.ts'
import { type NoDatabase, refusedByDisk, reportDamage } from './open-database.ts'

/**
 * Damage is recorded with SQLite, so that the next start sets the file aside. After a write that the disk refuses the
 * kernel may have pages that are not on it; the next start writes anew what it reads, or takes no sales.
 */
export function watchDatabaseFile({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>) {
  let refused: NoDatabase | undefined
  let ending: (() => Promise<Error>) | undefined
  let tell: ((how: () => Promise<Error>) => void) | undefined

  function end(how: () => Promise<Error>): void {
    if (ending) return
    ending = how
    tell?.(how)
  }

  return {
    onDamage: (problem: string) =>
      end(async () => {
        if (databaseUrl !== null) return new Error(problem)
        await reportDamage(dataDir, problem).catch(() => {})
        return new Error(`the database is damaged: ${problem}`)
      }),
    onRefusedWrite(error: unknown) {
      refused ??= refusedByDisk(error, dataDir)
      const message = `the disk has refused a write: fiskd starts anew, and reads what is on it`
      end(async () => new Error(message, { cause: error }))
    },
    /** Why nothing can be written, if the disk has refused a write so far. */
    refused: () => refused,
    /** Resolves with the error that ends the daemon, once what the next start has to know is recorded. */
    reported: () =>
      new Promise<Error>((resolve) => {
        tell = (how) => void how().then(resolve)
        if (ending) tell(ending)
      }),
  }
}

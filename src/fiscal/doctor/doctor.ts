import { type Check, failure, skipped } from '../../domain/check.ts'
import { sharedRun } from '../../domain/shared-run.ts'

/** A check that may have several results. */
export interface HealthCheck {
  name: string
  run(): Promise<Check[]>
}

export interface Diagnosis {
  /** Whether no check has failed. */
  ok: boolean
  checks: Check[]
}

/** Runs all checks, one after another, because sales are more urgent. Concurrent callers share one diagnosis. */
export function createDoctor(checks: readonly HealthCheck[]): () => Promise<Diagnosis> {
  async function runAll(): Promise<Diagnosis> {
    const found: Check[] = []
    for (const { name, run } of checks) {
      found.push(...(await run().catch((error: unknown) => [unknown(name, error)])))
    }
    return { ok: found.every(({ status }) => status !== 'fail'), checks: found }
  }

  return sharedRun(runAll)
}

/** @param first the check to mend first */
export const skippedAfter = (name: string, first: string): Check => skipped(name, `not looked at: see "${first}" first`)
/** What others than fiskd look after. @param why they do, and how */
export const elsewhere = (name: string, why: string): HealthCheck => ({
  name,
  run: async () => [skipped(name, why)],
})

/** As many entries as fit on a screen. */
export function few(found: readonly string[]): string {
  const shown = found.slice(0, 3).join('; ')
  return found.length > 3 ? `${shown}; and ${found.length - 3} more` : shown
}

function unknown(name: string, error: unknown): Check {
  const why = error instanceof Error ? error.message : String(error)
  return failure(name, `it could not be looked at: ${why}`, 'look at the log of the daemon: journalctl -u fiskd')
}

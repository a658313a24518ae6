import { type Check, failure, skipped } from '../../domain/check.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'

/** A check that may have several results. */
export interface HealthCheck {
  name: Both
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
export const skippedAfter = (name: Both, first: Both): Check =>
  skipped(name, {
    en: `not looked at: see "${first.en}" first`,
    hr: `nije provjereno: najprije pogledajte „${first.hr}”`,
  })
/** What others than fiskd look after. @param why they do, and how */
export const elsewhere = (name: Both, why: Both): HealthCheck => ({
  name,
  run: async () => [skipped(name, why)],
})

/** As many entries as fit on a screen. */
export function few(found: readonly (Both | string)[]): Both {
  const shown = joined(found.slice(0, 3).map((one) => (typeof one === 'string' ? alike(one) : one)))
  return found.length > 3
    ? { en: `${shown.en}; and ${found.length - 3} more`, hr: `${shown.hr}; i još ${found.length - 3}` }
    : shown
}

function unknown(name: Both, error: unknown): Check {
  const why = error instanceof Error ? error.message : String(error)
  const detail = { en: `it could not be looked at: ${why}`, hr: `nije se moglo provjeriti: ${why}` }
  return failure(name, detail, {
    en: 'look at the log of the daemon: journalctl -u fiskd',
    hr: 'pogledajte zapisnik: journalctl -u fiskd',
  })
}

import { type Check, failure, fine, skipped } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'
import type { Sequence } from '../ports/model.ts'

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

/** What was found, or that all is well. */
export const orFine = (found: Check[], name: Both, detail: Both): Check[] =>
  found.length > 0 ? found : [fine(name, detail)]

/** As many entries as fit on a screen. */
export function few(found: readonly (Both | string)[]): Both {
  const shown = joined(found.slice(0, 3).map((one) => (typeof one === 'string' ? alike(one) : one)))
  return found.length > 3
    ? { en: `${shown.en}; and ${found.length - 3} more`, hr: `${shown.hr}; i još ${found.length - 3}` }
    : shown
}

/** A moment as a date, in UTC. */
export const day = (at: EpochMs) => formatInstant(at).slice(0, 10)

/** A premises, with its mode unless that is live. */
export const premisesName = ({ premisesCode, mode }: Pick<Sequence, 'premisesCode' | 'mode'>) =>
  mode === 'live' ? premisesCode : `${premisesCode} (${mode})`

export const sequenceName = ({ year, register, ...premises }: Sequence) =>
  `${premisesName(premises)} in ${year}${register === '' ? '' : `, register ${register}`}`

/** Of a certificate. */
export const validFrom = (at: EpochMs): Both => ({
  en: `it is valid from ${day(at)} only`,
  hr: `vrijedi tek od ${day(at)}`,
})
export const validUntil = (at: EpochMs, days: number): Both => ({
  en: `it is valid until ${day(at)}, ${days} days more`,
  hr: `vrijedi do ${day(at)} (preostalo dana: ${days})`,
})

function unknown(name: Both, error: unknown): Check {
  const why = error instanceof Error ? error.message : String(error)
  const detail = { en: `it could not be looked at: ${why}`, hr: `nije se moglo provjeriti: ${why}` }
  return failure(name, detail, {
    en: 'look at the log of the daemon: journalctl -u fiskd',
    hr: 'pogledajte zapisnik: journalctl -u fiskd',
  })
}

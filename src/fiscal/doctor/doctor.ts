/** What one look at the gateway has found. */
export interface Check {
  name: string
  /**
   * `warn`: somebody should know. `fail`: something is broken and somebody has to act. `skip`: it could not be looked at
   * because of what another check says, or because others look after it; it is neither well nor broken.
   */
  status: 'ok' | 'warn' | 'fail' | 'skip'
  /** What was found, for people. */
  detail: string
  /** What to do about it; null when there is nothing to do. */
  fix: string | null
}

/** A kind of look; it may find several things. */
export interface HealthCheck {
  name: string
  run(): Promise<Check[]>
}

export interface Diagnosis {
  /** Nothing failed. */
  ok: boolean
  checks: Check[]
}

/** Looks at everything, one after another: sales are more urgent. Who asks meanwhile gets the same diagnosis. */
export function createDoctor(checks: readonly HealthCheck[]): () => Promise<Diagnosis> {
  let underWay: Promise<Diagnosis> | undefined

  async function runAll(): Promise<Diagnosis> {
    const found: Check[] = []
    for (const { name, run } of checks) {
      found.push(...(await run().catch((error: unknown) => [unknown(name, error)])))
    }
    return { ok: found.every(({ status }) => status !== 'fail'), checks: found }
  }

  return () => {
    underWay ??= runAll().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

export const fine = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null })
export const warning = (name: string, detail: string, fix: string): Check => ({ name, status: 'warn', detail, fix })
export const failure = (name: string, detail: string, fix: string): Check => ({ name, status: 'fail', detail, fix })
/** @param first the check to mend first */
export const skipped = (name: string, first: string): Check => ({
  name,
  status: 'skip',
  detail: `not looked at: see "${first}" first`,
  fix: null,
})
/** What others than fiskd look after. @param why they do, and how */
export const elsewhere = (name: string, why: string): HealthCheck => ({
  name,
  run: async () => [{ name, status: 'skip', detail: why, fix: null }],
})

/** As many as a screen holds. */
export function few(found: readonly string[]): string {
  const shown = found.slice(0, 3).join('; ')
  return found.length > 3 ? `${shown}; and ${found.length - 3} more` : shown
}

function unknown(name: string, error: unknown): Check {
  const why = error instanceof Error ? error.message : String(error)
  return failure(name, `it could not be looked at: ${why}`, 'look at the log of the daemon: journalctl -u fiskd')
}

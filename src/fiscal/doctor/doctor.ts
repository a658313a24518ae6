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
export interface Examination {
  name: string
  examine(): Promise<Check[]>
}

export interface Diagnosis {
  /** Nothing failed. */
  ok: boolean
  checks: Check[]
}

/** Looks at everything, one after another: sales are more urgent. Who asks meanwhile gets the same diagnosis. */
export function createDoctor(examinations: readonly Examination[]): () => Promise<Diagnosis> {
  let underWay: Promise<Diagnosis> | undefined

  async function examineAll(): Promise<Diagnosis> {
    const checks: Check[] = []
    for (const { name, examine } of examinations) {
      checks.push(...(await examine().catch((error: unknown) => [unknown(name, error)])))
    }
    return { ok: checks.every(({ status }) => status !== 'fail'), checks }
  }

  return () => {
    underWay ??= examineAll().finally(() => {
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
export const elsewhere = (name: string, why: string): Examination => ({
  name,
  examine: async () => [{ name, status: 'skip', detail: why, fix: null }],
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

/**
 * `warn`: somebody should know. `fail`: something is broken and somebody has to act. `skip`: it could not be looked at
 * because of what another check says, or because others look after it; it is neither well nor broken.
 */
export const CHECK_STATUSES = ['ok', 'warn', 'fail', 'skip'] as const

/** What one look at the gateway has found. */
export interface Check {
  name: string
  status: (typeof CHECK_STATUSES)[number]
  /** What was found, for people. */
  detail: string
  /** What to do about it; null when there is nothing to do. */
  fix: string | null
}

export const fine = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null })
export const warning = (name: string, detail: string, fix: string): Check => ({ name, status: 'warn', detail, fix })
export const failure = (name: string, detail: string, fix: string): Check => ({ name, status: 'fail', detail, fix })
export const skipped = (name: string, detail: string, fix: string | null = null): Check => ({
  name,
  status: 'skip',
  detail,
  fix,
})

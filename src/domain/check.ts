import type { Both } from './texts/both.ts'

/**
 * `warn`: a technician should know. `fail`: something is broken and a technician has to act. `skip`: it could not be
 * looked at because of what another check says, or because others look after it; it is neither well nor broken.
 */
export const CHECK_STATUSES = ['ok', 'warn', 'fail', 'skip'] as const

export interface Check {
  name: Both
  status: (typeof CHECK_STATUSES)[number]
  detail: Both
  /** What to do about it; null when there is nothing to do. */
  fix: Both | null
}

export type SaidCheck = Pick<Check, 'status'> & { name: string; detail: string; fix: string | null }

export const fine = (name: Both, detail: Both): Check => ({ name, status: 'ok', detail, fix: null })
export const warning = (name: Both, detail: Both, fix: Both): Check => ({ name, status: 'warn', detail, fix })
export const failure = (name: Both, detail: Both, fix: Both): Check => ({ name, status: 'fail', detail, fix })
export const skipped = (name: Both, detail: Both, fix: Both | null = null): Check => ({
  name,
  status: 'skip',
  detail,
  fix,
})

export function sayCheck({ name, status, detail, fix }: Check, language: keyof Both): SaidCheck {
  return { name: name[language], status, detail: detail[language], fix: fix?.[language] ?? null }
}

import type { Diagnosis } from '../answers.ts'

/** In the form in which the daemon tells its own. */
export type Check = Diagnosis['checks'][number]

export const fine = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null })
export const warning = (name: string, detail: string, fix: string): Check => ({ name, status: 'warn', detail, fix })
export const failure = (name: string, detail: string, fix: string): Check => ({ name, status: 'fail', detail, fix })
export const skipped = (name: string, detail: string, fix: string | null = null): Check => ({
  name,
  status: 'skip',
  detail,
  fix,
})

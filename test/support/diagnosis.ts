import { expect } from 'vitest'
import { type Check, type SaidCheck, sayCheck } from '../../src/domain/check.ts'
import { createDoctor, type Diagnosis, type HealthCheck } from '../../src/fiscal/doctor/doctor.ts'
import type { Gateway } from './gateway.ts'

export const inEnglish = (checks: readonly Check[]): SaidCheck[] => checks.map((check) => sayCheck(check, 'en'))

/** Everything that the daemon's doctor finds. */
export async function diagnose(gateway: Pick<Gateway, 'admin'>): Promise<SaidCheck[]> {
  const { status, body } = await gateway.admin<Diagnosis>('/admin/doctor')
  expect(status).toBe(200)
  return inEnglish(body.checks)
}

/** What these checks alone find. */
export async function examine(checks: readonly HealthCheck[]): Promise<SaidCheck[]> {
  return inEnglish((await createDoctor(checks)()).checks)
}

export const troubles = (checks: readonly SaidCheck[]) => checks.filter(({ status }) => status !== 'ok')

/** What differs between two looks: checks that came, changed their status, or went. */
export function changed(before: readonly SaidCheck[], after: readonly SaidCheck[]): SaidCheck[] {
  const statusIn = (checks: readonly SaidCheck[], { name }: SaidCheck) =>
    checks.find((check) => check.name === name)?.status
  const gone = before.filter((check) => statusIn(after, check) === undefined)
  return [...after.filter((check) => statusIn(before, check) !== check.status), ...gone]
}

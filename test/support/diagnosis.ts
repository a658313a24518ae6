import { expect } from 'vitest'
import type { Check } from '../../src/domain/check.ts'
import type { Diagnosis } from '../../src/fiscal/doctor/doctor.ts'
import type { Gateway } from './gateway.ts'

/** Everything that the daemon's doctor finds. */
export async function diagnose(gateway: Gateway): Promise<Check[]> {
  const { status, body } = await gateway.admin<Diagnosis>('/admin/doctor')
  expect(status).toBe(200)
  return body.checks
}

/** What differs between two looks: checks that came, changed their status, or went. */
export function changed(before: readonly Check[], after: readonly Check[]): Check[] {
  const statusIn = (checks: readonly Check[], { name }: Check) => checks.find((check) => check.name === name)?.status
  const gone = before.filter((check) => statusIn(after, check) === undefined)
  return [...after.filter((check) => statusIn(before, check) !== check.status), ...gone]
}

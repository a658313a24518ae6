import { ANSWERS } from './answers.ts'
import { CERTIFICATES } from './certificates.ts'
import { KEYS } from './keys.ts'
import { LOST } from './lost.ts'
import { OUTAGES } from './outages.ts'
import { REFUSALS } from './refusals.ts'
import type { Scenario } from './scenario.ts'

/** Every scenario, in the order in which the report has them. */
export const SCENARIOS: readonly Scenario[] = [...ANSWERS, ...LOST, ...KEYS, ...REFUSALS, ...OUTAGES, ...CERTIFICATES]

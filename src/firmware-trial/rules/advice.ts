import type { ScenarioResult } from '../../contract/reports/firmware-trial.ts'
import { FINDING_CODES, subjectOf } from '../../domain/sale/findings.ts'
import { findingText } from '../../domain/texts/finding-texts.ts'
import type { StoredSale } from '../evidence.ts'

/**
 * What the tax authority would find in the sales. They are valid, so it is no breach of a rule. The trial makes sales late
 * on purpose, and clocks are its own: only what a sale says is of the firmware.
 */
export function adviceOn(stored: readonly StoredSale[]): ScenarioResult['advice'] {
  const found = new Set(stored.flatMap(({ findings }) => findings))
  const codes = FINDING_CODES.filter((code) => found.has(code) && subjectOf(code) === 'content')
  return codes.map((code) => ({ code, text: findingText(code).en }))
}

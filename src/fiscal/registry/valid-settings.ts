import { isDeepStrictEqual } from 'node:util'
import { FiskError } from '../../domain/errors.ts'
import type { LevelName } from '../../domain/sale/config-chain.ts'
import { settingFaults } from '../../domain/sale/configured-values.ts'
import type { JsonObject } from '../ports/model.ts'

/**
 * Refuses values that no sale can have (docs/spec/interface.md, Configuration chain), unless stored (`before`).
 * @throws FiskError with the code of the rule, and the path of the value as `param`
 */
export function requireValidSettings(level: LevelName, config: JsonObject = {}, before: JsonObject = {}): void {
  const changed = Object.entries(config).filter(([key, value]) => !isDeepStrictEqual(value, before[key]))
  const [fault] = settingFaults(level, Object.fromEntries(changed))
  if (!fault) return
  const { code, message, param } = fault.error
  if (param === null) throw fault.error
  throw new FiskError(code, message, { param, reason: 'setting_wrong', about: param })
}

import { isDeepStrictEqual } from 'node:util'
import { FiskError } from '../../domain/errors.ts'
import type { LevelName } from '../../domain/sale/config-chain.ts'
import { settingFaults } from '../../domain/sale/configured-values.ts'
import type { JsonObject } from '../ports/model.ts'

/** What differs from what is stored already. */
const changed = (config: JsonObject, before: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([key, value]) => !isDeepStrictEqual(value, before[key])))

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/**
 * Refuses values that no sale can have (docs/spec/interface.md, Configuration chain).
 * @param before what is stored: a value that stands there already stays, so that another one can be changed
 * @throws FiskError with the code of the rule, and the path of the value as `param`
 */
export function requireValidSettings(level: LevelName, config: JsonObject = {}, before: JsonObject = {}): void {
  const own = changed(config, before)
  const hasReceipts = isObject(own.receipt) && isObject(before.receipt)
  const receipt = hasReceipts ? { receipt: changed(own.receipt as JsonObject, before.receipt as JsonObject) } : {}
  const [fault] = settingFaults(level, { ...own, ...receipt })
  if (!fault) return
  const param = `${level}.${fault.path}`
  throw new FiskError(fault.code, `${param} ${fault.say}`, { param, reason: 'setting_wrong', about: param })
}

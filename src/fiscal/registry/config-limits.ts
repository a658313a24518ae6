import { isDeepStrictEqual } from 'node:util'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import { CONFIG_BYTES } from '../../domain/json-limits.ts'
import type { LevelName } from '../../domain/sale/config-chain.ts'
import { settingFaults } from '../../domain/sale/configured-values.ts'
import { ADDRESS_PART_LENGTH } from '../../domain/text-lengths.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import type { JsonObject } from '../ports/model.ts'

/** @throws FiskError `invalid_request` for an object that is too large to be a configuration or an address */
export function requireSmall(objects: Record<string, JsonObject | undefined>): void {
  for (const [param, object] of Object.entries(objects)) {
    if (object === undefined || Buffer.byteLength(JSON.stringify(object)) <= CONFIG_BYTES) continue
    throw invalidRequest(param, `${param} must have at most ${CONFIG_BYTES / 1024} KB`, 'config_too_large')
  }
}

/** What receipts say of a company's address, and so every sale. */
const PARTS = ['street', 'postal_code', 'city', 'country']

/** @throws FiskError `invalid_request` for an address with a part that no receipt can show */
export function requireShortParts(address: JsonObject | undefined): void {
  for (const part of PARTS) {
    const value = address?.[part]
    if (typeof value !== 'string' || ([...value].length <= ADDRESS_PART_LENGTH && isXmlText(value))) continue
    throw invalidRequest(
      `address.${part}`,
      `address.${part} must be a text of at most ${ADDRESS_PART_LENGTH} characters without control characters`,
    )
  }
}

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

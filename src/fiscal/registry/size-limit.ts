import { CONFIG_BYTES } from '../../domain/config-size.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { JsonObject } from '../ports/model.ts'

/** @throws FiskError `invalid_request` for an object that is too large to be a configuration or an address */
export function requireSmall(objects: Record<string, JsonObject | undefined>): void {
  for (const [param, object] of Object.entries(objects)) {
    if (object === undefined || Buffer.byteLength(JSON.stringify(object)) <= CONFIG_BYTES) continue
    throw invalidRequest(param, `${param} must have at most ${CONFIG_BYTES / 1024} KB`, 'config_too_large')
  }
}

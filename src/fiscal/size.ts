import { invalidRequest } from '../domain/errors.ts'
import type { JsonObject } from './model.ts'

/** Every sale reads the configuration of its device and its company, and a list may show 200 of them. */
const MAX_BYTES = 32 * 1024

/** @throws FiskError `invalid_request` for an object that is too large to be a configuration or an address */
export function requireSmall(objects: Record<string, JsonObject | undefined>): void {
  for (const [param, object] of Object.entries(objects)) {
    if (object === undefined || Buffer.byteLength(JSON.stringify(object)) <= MAX_BYTES) continue
    throw invalidRequest(param, `${param} must have at most ${MAX_BYTES / 1024} KB`, 'config_too_large')
  }
}

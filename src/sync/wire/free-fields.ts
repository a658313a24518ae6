import { isTooDeep } from '../../domain/json-depth.ts'
import type { SyncKind } from '../../fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from './bounds.ts'

/** What may hold anything, by the names on the wire. */
const FREE: Partial<Record<SyncKind, readonly string[]>> = {
  company: ['address', 'fiscal_config'],
  device: ['device_config'],
  alert: ['detail'],
}

const MOST_BYTES = SYNC_BOUNDS.config.most
const MOST_LEVELS = SYNC_BOUNDS.configDepth.most

/** @returns why a row cannot be kept whose free fields hold more than `/v1` would have taken */
export function faultInFree(kind: SyncKind, row: Record<string, unknown>): string | undefined {
  for (const name of FREE[kind] ?? []) {
    const value = row[name]
    if (isTooDeep(value, MOST_LEVELS)) return `${name} is nested more than ${MOST_LEVELS} levels deep`
    if (Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES) {
      return `${name} must have at most ${MOST_BYTES / 1024} KB`
    }
  }
  return undefined
}

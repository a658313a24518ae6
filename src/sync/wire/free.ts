import type { SyncKind } from '../../fiscal/sync-port.ts'

/** What may hold anything, by the names on the wire. */
const FREE: Partial<Record<SyncKind, readonly string[]>> = {
  company: ['address', 'fiscal_config'],
  device: ['device_config'],
  alert: ['detail'],
}

/** As `/v1` takes them: every sale reads the configurations, and a list may show 200 of them. */
const MOST_BYTES = 32 * 1024
/** Far below what overflows the stack of whoever writes the value again. */
const MOST_LEVELS = 32

/** @returns why a row cannot be kept whose free fields hold more than `/v1` would have taken */
export function faultInFree(kind: SyncKind, row: Record<string, unknown>): string | undefined {
  for (const name of FREE[kind] ?? []) {
    const value = row[name]
    if (isTooDeep(value)) return `${name} is nested more than ${MOST_LEVELS} levels deep`
    if (Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES) {
      return `${name} must have at most ${MOST_BYTES / 1024} KB`
    }
  }
  return undefined
}

function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}

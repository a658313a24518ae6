import { attempt } from '../../domain/attempt.ts'
/** The JSON object in these bytes; null where there is none. */
export function jsonOf(bytes: Buffer): Record<string, unknown> | null {
  const value: unknown = attempt(() => JSON.parse(bytes.toString('utf8')), null)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

import { attempt } from '../domain/attempt.ts'
import { conflict } from '../domain/errors.ts'
import type { Expected } from '../fiscal/registry/expected-fields.ts'

/** The hidden field `seen` of a form: the values that its reader has seen. */
export function writeExpected<T extends object, K extends keyof T>(row: T, keys: readonly K[]): string {
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, row[key]])))
}

/** @throws FiskError 409 for a field that is none of ours: as if everything had changed since */
export function readExpected<T extends object, K extends keyof T>(
  text: string | undefined,
  keys: readonly K[],
): Expected<T> {
  const value: unknown = attempt(() => JSON.parse(text ?? ''), null)
  if (typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key)))
    return Object.fromEntries(keys.map((key) => [key, (value as T)[key]])) as unknown as Expected<T>
  throw conflict('form', 'the form does not say what its sender has seen', 'changed_meanwhile')
}

export const isChangedMeanwhile = (error: unknown): boolean =>
  (error as { reason?: unknown } | null)?.reason === 'changed_meanwhile'

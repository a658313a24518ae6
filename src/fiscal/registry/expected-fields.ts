import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../../domain/errors.ts'

/** What somebody had before their eyes of a row when they began to change it; fields that are not there are not compared. */
export type Expected<T> = Partial<T>

/** The fields that somebody else has changed since. */
export function changedSince<T extends object>(row: T, seen: Expected<T>): (keyof T)[] {
  return (Object.keys(seen) as (keyof T)[]).filter((key) => !isDeepStrictEqual(row[key], seen[key]))
}

/**
 * Keeps a change from overwriting what its author has never seen: ask in the transaction that writes.
 * @throws FiskError 409, reason `changed_meanwhile`
 */
export function requireExpected<T extends object>(row: T, seen: Expected<T> | undefined): void {
  if (seen === undefined || changedSince(row, seen).length === 0) return
  throw conflict('form', 'somebody else has changed it meanwhile: look at it again', 'changed_meanwhile')
}

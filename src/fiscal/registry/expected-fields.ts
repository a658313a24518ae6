import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../../domain/errors.ts'

/** The field values that an author saw before the change; missing fields are not compared. */
export type Expected<T> = Partial<T>

/** The fields that were changed by another author since. */
export function changedSince<T extends object>(row: T, seen: Expected<T>): (keyof T)[] {
  return (Object.keys(seen) as (keyof T)[]).filter((key) => !isDeepStrictEqual(row[key], seen[key]))
}

/** Call it in the transaction that writes. @throws FiskError 409, reason `changed_meanwhile`, for unseen values */
export function requireExpected<T extends object>(row: T, seen: Expected<T> | undefined): void {
  if (seen === undefined || changedSince(row, seen).length === 0) return
  throw conflict('form', 'somebody else has changed it meanwhile: look at it again', 'changed_meanwhile')
}

import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { fieldPath } from '../../domain/field-path.ts'
import { misshapen } from '../failure.ts'

/** Whether a value is as its schema has it. More fields than it names are fine: a newer daemon says more. */
export const fits = <S extends TSchema>(schema: S, value: unknown): value is Static<S> => Check(schema, value)

/** @returns a field such as `companies[0].name`, empty for the value as a whole, and a demand such as `must be string` */
export function misfitOf(schema: TSchema, value: unknown) {
  const [, [first]] = Errors(schema, value)
  if (!first) return { field: '', demand: 'is malformed' }
  const at = fieldPath(first.instancePath)
  if (first.keyword !== 'required') return { field: at, demand: first.message }
  const [name] = first.params.requiredProperties
  return { field: at ? `${at}.${name}` : String(name), demand: 'is missing' }
}

/** @param from who said it, such as `fiskd --restore` @throws Failure that names the first field that is wrong */
export function shaped<S extends TSchema>(schema: S, value: unknown, from: string): Static<S> {
  if (fits(schema, value)) return value
  const { field, demand } = misfitOf(schema, value)
  throw misshapen(from, field, demand)
}

import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { beginningOf, longestOf } from './lengths.ts'

/** What is wrong with a value: which field, and how it should be. */
export interface Fault {
  /** As people write it: `row.document.vat[0].rate`; empty for the whole value. */
  field: string
  message: string
}

export type Check<T extends TSchema> = (value: unknown) => { value: Static<T> } | { fault: Fault }

/**
 * A check of a shape, compiled when it is first used: the side that only sends never needs it. A list that is too long is
 * refused before anybody looks into it: to say what is wrong costs something for each of its members.
 */
export function checkOf<T extends TSchema>(schema: T): Check<T> {
  const tooLong = longestOf(schema)
  let compiled: ReturnType<typeof compile> | undefined
  const compile = () => Compile<T>(schema)
  return (value) => {
    const list = tooLong?.(value, '')
    if (list !== undefined) return { fault: { field: fieldOf(list), message: `${fieldOf(list)} has too many members` } }
    compiled ??= compile()
    return compiled.Check(value) ? { value } : { fault: faultOf(compiled.Errors(beginningOf(schema, value))) }
  }
}

interface Violation {
  keyword: string
  instancePath: string
  params: object
}

/** A missing or an unknown member is said as such; the member of a union that fails first is the real one, not `null`. */
function faultOf(violations: readonly Violation[]): Fault {
  const named = (keyword: string, list: string) => {
    const violation = violations.find((one) => one.keyword === keyword)
    const members = violation && (violation.params as Record<string, unknown>)[list]
    if (!violation || !Array.isArray(members)) return undefined
    return fieldOf(`${violation.instancePath}/${String(members[0])}`)
  }
  const unknown = named('additionalProperties', 'additionalProperties')
  if (unknown !== undefined) return { field: unknown, message: `there is no field ${unknown}` }
  const missing = named('required', 'requiredProperties')
  if (missing !== undefined) return { field: missing, message: `${missing} is missing` }
  const [first] = violations
  const field = fieldOf(first?.instancePath ?? '')
  return { field, message: `${field || 'this'} is not as it should be (${first?.keyword ?? 'malformed'})` }
}

/** `/vat/0/rate` in readable form; names are cut, because the sender chose them. */
function fieldOf(path: string): string {
  return path
    .slice(1)
    .split('/')
    .map((part) =>
      part
        .replaceAll('~1', '/')
        .replaceAll('~0', '~')
        .replace(/[^\w.-]/g, '?')
        .slice(0, 60),
    )
    .reduce((all, part) => (/^\d+$/.test(part) ? `${all}[${part}]` : all ? `${all}.${part}` : part), '')
    .slice(0, 200)
}

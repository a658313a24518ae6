import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

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

/** A missing or an unknown member is said as such; the member of a union that fails first is the real one, not `null`. */
function faultOf(violations: readonly { keyword: string; instancePath: string; params: object }[]): Fault {
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

/** Where in a value the first list is that has more members than its schema allows; undefined when there is none. */
type TooLong = (value: unknown, path: string) => string | undefined

interface Shape {
  maxItems?: number
  items?: TSchema
  properties?: Record<string, TSchema>
  anyOf?: TSchema[]
}

/** Looks at nothing but the lists that a schema knows. @returns undefined when it knows none with a limit */
function longestOf(schema: TSchema): TooLong | undefined {
  const { maxItems, items, properties, anyOf } = schema as Shape
  if (maxItems !== undefined) return inList(maxItems, items && longestOf(items))
  if (anyOf) return firstOf(anyOf.map((one) => [undefined, longestOf(one)]))
  return firstOf(Object.entries(properties ?? {}).map(([name, member]) => [name, longestOf(member)]))
}

function inList(most: number, member: TooLong | undefined): TooLong {
  return (value, path) => {
    if (!Array.isArray(value)) return undefined
    if (value.length > most) return path
    return member && firstIn(value.keys(), (index) => member(value[index], `${path}/${index}`))
  }
}

/** @param parts each with the member that it looks at, undefined for the value itself */
function firstOf(parts: [name: string | undefined, look: TooLong | undefined][]): TooLong | undefined {
  const looks = parts.filter((part): part is [string | undefined, TooLong] => part[1] !== undefined)
  if (looks.length === 0) return undefined
  return (value, path) =>
    firstIn(looks, ([name, look]) => {
      if (name === undefined) return look(value, path)
      return isObject(value) && Object.hasOwn(value, name) ? look(value[name], `${path}/${name}`) : undefined
    })
}

function firstIn<T>(all: Iterable<T>, look: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Of what is wrong the first is told: so many members of each list are looked at for it. */
const LOOKED_AT = 100

/** A value with the beginnings of its lists, as far as the schema knows them. */
function beginningOf(schema: TSchema, value: unknown): unknown {
  const { items, properties, anyOf } = schema as Shape
  if (anyOf) return anyOf.reduce((rest, one) => beginningOf(one, rest), value)
  if (Array.isArray(value)) return items ? value.slice(0, LOOKED_AT).map((one) => beginningOf(items, one)) : value
  if (!properties || !isObject(value)) return value
  const members = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  return { ...value, ...Object.fromEntries(members.map(([name, member]) => [name, beginningOf(member, value[name])])) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

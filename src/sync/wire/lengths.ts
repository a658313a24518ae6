import type { TSchema } from 'typebox'

/** Where in a value the first list is that has more members than its schema allows; undefined when there is none. */
type TooLong = (value: unknown, path: string) => string | undefined

interface Shape {
  maxItems?: number
  items?: TSchema
  properties?: Record<string, TSchema>
  anyOf?: TSchema[]
}

/** Looks at nothing but the lists that a schema knows. @returns undefined when it knows none with a limit */
export function longestOf(schema: TSchema): TooLong | undefined {
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
export function beginningOf(schema: TSchema, value: unknown): unknown {
  const { items, properties, anyOf } = schema as Shape
  if (anyOf) return anyOf.reduce((rest, one) => beginningOf(one, rest), value)
  if (Array.isArray(value)) return items ? value.slice(0, LOOKED_AT).map((one) => beginningOf(items, one)) : value
  if (!properties || !isObject(value)) return value
  const members = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  return { ...value, ...Object.fromEntries(members.map(([name, member]) => [name, beginningOf(member, value[name])])) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

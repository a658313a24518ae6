import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifyError, FastifySchemaCompiler } from 'fastify'
import { FORMATS } from '../contract/v1/formats.ts'
import { type FiskError, invalidRequest } from '../domain/errors.ts'
import { fieldPath } from '../domain/field-path.ts'
import { AJV_OPTIONS } from './ajv-options.ts'
import { type Check, COMPILED_AHEAD } from './compiled-ahead.ts'

type Violations = NonNullable<FastifyError['validation']>

type Compile = (route: { schema: object }) => Check

let compiler: Compile | undefined
const compiled = new WeakMap<object, Check>()

/** At its first use, once for all listeners: a start would compile forty twice, and a gateway uses a handful. */
export const compileWhenUsed: FastifySchemaCompiler<object> = (route) => {
  let found: Check | undefined
  const check: Check = (data) => {
    found ??= compiledOf(route)
    const isValid = found(data)
    check.errors = found.errors?.map((error) => withText(error, data)) ?? null
    return isValid
  }
  return check
}

/** Puts the text that breaks a format beside it: what is wrong with it is said of the text. */
function withText(error: Violations[number], data: unknown): Violations[number] {
  if (error.keyword !== 'format') return error
  const at = error.instancePath.split('/').slice(1)
  const text = at.reduce((value, name) => (value as Record<string, unknown>)[name], data)
  return { ...error, params: { ...error.params, text: String(text) } }
}

function compiledOf(route: { schema: object }): Check {
  const known = compiled.get(route.schema) ?? COMPILED_AHEAD.get(route.schema) ?? compile(route)
  compiled.set(route.schema, known)
  return known
}

/** Makes Ajv when it is first needed: a gateway that only sells never needs it. */
function compile(route: { schema: object }): Check {
  // What it returns takes a route, whatever its types say.
  compiler ??= AjvCompiler()({}, { customOptions: AJV_OPTIONS }) as unknown as Compile
  return compiler(route)
}

/** Says which field is wrong and how it should be, from what Ajv found first. */
export function refusalOf(violations: Violations, context: string): FiskError {
  // In a union the first branch is the real one, the second `null`.
  const [violation] = violations
  if (!violation) return invalidRequest(context, `${context} is malformed`)
  const { keyword, instancePath, params } = violation
  const path = fieldPath(instancePath)
  const member = (name: unknown) => (path ? `${path}.${String(name)}` : String(name))
  if (keyword === 'required') {
    const name = member(params.missingProperty)
    return invalidRequest(name, `${name} is required`)
  }
  if (keyword === 'additionalProperties') {
    const name = member(params.additionalProperty)
    return invalidRequest(name, `there is no ${context === 'querystring' ? 'parameter' : 'field'} ${name}`)
  }
  const name = path || context
  return invalidRequest(name, `${name} ${demandOf(keyword, params)}`)
}

function demandOf(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'format') {
    const say = FORMATS[String(params.format)]?.say ?? 'is malformed'
    return typeof say === 'string' ? say : say(String(params.text))
  }
  if (keyword === 'type') {
    return params.type === 'string' ? 'must be a string' : `must be of type ${String(params.type)}`
  }
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map((value) => JSON.stringify(value))
    return `must be ${allowed.join(' or ')}`
  }
  if (keyword === 'minLength') return 'must not be empty'
  if (keyword === 'minimum') return `must be ${String(params.limit)} or more`
  if (keyword === 'maximum') return `must be ${String(params.limit)} or less`
  if (keyword === 'maxItems') return `must have at most ${String(params.limit)} members`
  if (keyword === 'maxLength') return `must have at most ${String(params.limit)} characters`
  return 'is malformed'
}

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer } from '../../../support/call.ts'
import type { Ask } from './client.ts'

/** A JSON Schema, as far as our documents use the language. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  unevaluatedProperties?: boolean
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export interface Response {
  description: string
  'x-retryable'?: boolean
  headers: Record<string, { $ref: string }>
  content: Record<string, { schema: Schema }>
}

interface DescribedOperation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Response>
  security?: object[]
  'x-timeout-seconds'?: number
}

export interface OpenApi {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema>; headers: Record<string, unknown> }
}

export interface Operation extends DescribedOperation {
  method: string
  path: string
}

/** The document as everybody gets it. */
export async function documentOf(ask: Ask): Promise<OpenApi> {
  const { status, text } = await ask({ path: '/docs/openapi.json' })
  if (status !== 200) throw new Error(`there is no document: ${status} ${text}`)
  return JSON.parse(text)
}

export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** What a reference leads to; what is none stays as it is. */
export function resolve(document: OpenApi, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!target) throw new Error(`${schema.$ref} leads nowhere`)
  return resolve(document, target)
}

/** The names of all members that a schema describes. */
export function fieldsOf(document: OpenApi, schema: Schema): string[] {
  return Object.keys(resolve(document, schema).properties ?? {})
}

/** The schema of a body by its content type. */
export function contentOf(holder: { content: Record<string, { schema: Schema }> } | undefined, type: string): Schema {
  const schema = holder?.content[type]?.schema
  if (!schema) throw new Error(`there is no ${type}`)
  return schema
}

/** The content type of an answer, without its charset. */
export function typeOf({ headers }: Pick<Answer, 'headers'>): string {
  return String(headers['content-type']).replace(/;.*/, '')
}

/** The codes that a response may carry, as programs read them; it must name the same ones to people. */
export function codesIn({ description, content }: Response): string[] {
  const [, part] = content?.['application/json']?.schema.allOf ?? []
  const codes = (part?.properties?.error?.properties?.code?.enum ?? []).map(String)
  const linked = [...description.matchAll(/\[`([^`]+)`\]\(\/docs\/errors\/\1\)/g)].map((match) => String(match[1]))
  if (codes.join() !== linked.join())
    throw new Error(`the enum is ${codes.join()}, the words are about ${linked.join()}`)
  return codes
}

/** A schema whose every object lets nothing in beside the members that it describes. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  if (properties) return { ...rest, properties: mapValues(properties, closed), unevaluatedProperties: false }
  return {
    ...rest,
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  }
}

/**
 * Judges values by the schemas of a document, in the dialect that OpenAPI 3.1 prescribes.
 * @returns a function that says what is wrong with a value, and nothing when all is well
 */
export function judgeOf(document: OpenApi, { strict }: { strict: boolean }) {
  const prepare = strict ? closed : (schema: Schema) => schema
  const components = { schemas: mapValues(document.components.schemas, prepare) }
  // What is declared beside JSON Schema's own keywords are references' targets and examples.
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  formats.default(ajv)
  ajv.addFormat('binary', true)
  const compiled = new Map<string, ValidateFunction>()
  return (schema: Schema, value: unknown): string | undefined => {
    const name = JSON.stringify(schema)
    const validate = compiled.get(name) ?? ajv.compile({ ...prepare(schema), components })
    compiled.set(name, validate)
    if (validate(value)) return undefined
    return validate.errors
      ?.map(({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`)
      .join('; ')
  }
}

function mapValues<T, U>(object: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

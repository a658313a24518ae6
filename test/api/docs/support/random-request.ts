import fc, { type Arbitrary } from 'fast-check'
import type { Misbehaviour } from '../../../../src/simulator/misbehaviours.ts'
import { contentOf, type OpenApi, type Operation } from './document.ts'
import { type Draft, MUTATIONS, type Mutation } from './mutations.ts'
import { type Guess, type Hints, valuesOf } from './schema-values.ts'
import type { Caller, World } from './world.ts'

/** A request as it goes out, and what is known about it. */
export interface RandomRequest {
  draft: Draft
  caller: Caller
  /** How the tax authority treats the next message. */
  authority: Misbehaviour | null
}

const TROUBLE: Misbehaviour[] = ['http-503', 's006', 'unsigned', 'tampered', 'not-xml', 'empty', 'drop-before']
const AUTHORITY = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...TROUBLE) },
  { weight: 1, arbitrary: fc.constantFrom('s001', 's005').map((error): Misbehaviour => ({ error })) },
)

/**
 * Requests of one operation: some that should succeed, some that are only of the right shape, and some that were either
 * before they were spoilt.
 */
export function requestsOf(document: OpenApi, operation: Operation, world: World): Arbitrary<RandomRequest> {
  const guesses = world.guesses[operation.operationId] ?? [{ hints: {} }]
  const likely = fc.oneof(...guesses.map((guess) => drafts(document, operation, guess)))
  const shaped = fc.oneof(...guesses.map((guess) => drafts(document, operation, { ...guess, doubtful: true })))
  const mutations = fc.array(mutationsOf(operation), { minLength: 1, maxLength: 2 })
  const spoilt = fc
    .tuple(fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: shaped }), mutations)
    .map(([draft, list]) => list.reduce((spoiled, mutate) => mutate(spoiled), draft))
  const draft = fc.oneof(
    { weight: 5, arbitrary: likely },
    { weight: 2, arbitrary: shaped },
    { weight: 4, arbitrary: spoilt },
  )
  const caller = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...world.masters) },
    { weight: 1, arbitrary: fc.constantFrom(...world.others) },
  )
  return fc.record({ draft, caller, authority: AUTHORITY }, { noNullPrototype: true })
}

function mutationsOf(operation: Operation): Arbitrary<Mutation> {
  const body = Object.keys(operation.requestBody?.content ?? {})
  return fc.oneof(
    ...MUTATIONS.always,
    ...(operation.path.includes('{') ? MUTATIONS.path : []),
    ...(body.length === 0 ? MUTATIONS.bare : []),
    // Twice, for there is most to spoil.
    ...(body.includes('application/json') ? [...MUTATIONS.json, ...MUTATIONS.json] : []),
    ...(body.includes('multipart/form-data') ? [...MUTATIONS.form, ...MUTATIONS.form] : []),
  )
}

/** Drafts that the document allows. */
function drafts(document: OpenApi, operation: Operation, guess: Guess): Arbitrary<Draft> {
  const { method, path, parameters = [], requestBody } = operation
  const named = (place: string, extra: Hints = {}) => {
    const members = parameters.filter((parameter) => parameter.in === place)
    const arbitraries = members.map(({ name, schema }): [string, Arbitrary<string>] => {
      const value = extra[name] ?? valuesOf(document, schema, guess, name)
      return [name, value.map(String)]
    })
    const requiredKeys = members.filter(({ required }) => required).map(({ name }) => name)
    return fc.record(Object.fromEntries(arbitraries), { requiredKeys, noNullPrototype: true })
  }
  const types = Object.keys(requestBody?.content ?? {})
  const json = types.includes('application/json')
    ? valuesOf(document, contentOf(requestBody, 'application/json'), guess).map((value) => ({ json: value }))
    : fc.constant({})
  const form = types.includes('multipart/form-data')
    ? valuesOf(document, contentOf(requestBody, 'multipart/form-data'), guess).map((parts) => ({
        form: Object.entries(parts as object).map(([name, value]) => {
          return name === 'file' ? { name, value, filename: 'file' } : { name, value: String(value) }
        }),
      }))
    : fc.constant({})
  // What is accepted is no parameter in OpenAPI.
  const accepted = Object.keys(operation.responses[200]?.content ?? {})
  const accept =
    accepted.length > 1
      ? fc.record({ Accept: fc.constantFrom(...accepted, '*/*', 'text/html') }, { noNullPrototype: true })
      : fc.constant({})
  // A path without its last part is another path.
  const params = named('path').filter((values) => Object.values(values).every((value) => value !== ''))
  return fc
    .tuple(params, named('query'), named('header', HEADERS), accept, json, form)
    .map(([params, query, headers, accept, json, form]) => ({
      method,
      path,
      params,
      query: Object.entries(query).map(([name, value]): [string, string] => [name, value]),
      headers: { ...headers, ...accept },
      ...json,
      ...form,
    }))
}

/** What a header can carry: printable Latin letters, no blanks around them. */
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,100}[!-~])?$/)

const HEADERS: Hints = {
  'X-Request-Id': headerText,
  'Idempotency-Key': fc.oneof(
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: headerText },
    { weight: 1, arbitrary: fc.constantFrom('again', 'and again') },
  ),
  'X-Include-Messages': fc.constantFrom('true', 'false', '0', 'yes'),
}

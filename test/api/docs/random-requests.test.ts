import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/call.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { RECEIPTS_ENV } from '../../support/receipt-links.ts'
import { type Ask, clientOf } from './support/client.ts'
import { documentOf, type OpenApi, type Operation, operationsOf } from './support/document.ts'
import { written } from './support/mutations.ts'
import { type RandomRequest, requestsOf } from './support/random-request.ts'
import { type Judges, judgesOf, verdictOn } from './support/verdict.ts'
import { createWorld, type World } from './support/world.ts'

let gateway: Gateway
let ask: Ask
let document: OpenApi
let world: World
beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' }
  gateway = await startSharedGateway({ ...RECEIPTS_ENV, ...limits })
  ask = clientOf(gateway, 8)
  document = await documentOf(ask)
  world = await createWorld(gateway)
}, 60_000)

const RUNS = 125
const MORE_RUNS: Record<string, number> = { fiscalizeSale: 400, importDevices: 60, uploadCertificate: 60, setLogo: 60 }

/** How many more requests may be made to find the smallest one that goes wrong. */
const SHRINKS = 300

const outcomes: { operationId: string; status: number; code: string | undefined }[] = []

/**
 * Makes random requests of one operation, one after another, until one is answered wrongly.
 * @returns the smallest such request that was found, with what repeats it; undefined when all is well
 */
async function probe(operation: Operation, judges: Judges): Promise<string | undefined> {
  const { operationId } = operation
  const sends = operation.path.startsWith('/v1/invoices') && operation.method === 'POST'
  let left = Number.POSITIVE_INFINITY
  const fail = (why: string, request: RandomRequest, shrinks: number): never => {
    left = Math.min(left, shrinks)
    throw new Error(`${why}\n${told(request)}`)
  }
  const property = fc.asyncProperty(requestsOf(document, operation, world), async (request) => {
    if (left-- <= 0) return
    const wire = written(request.draft)
    const { authorization } = request.caller
    if (sends) gateway.cis.always(request.authority)
    const headers = { ...wire.headers, ...(authorization && { authorization }) }
    const answer = await ask({ ...wire, headers }).catch((error) => fail(`no answer: ${error}`, request, 0))
    const { status, body, text } = answer
    const { error } = body as { error?: { code: string } }
    if (left === Number.POSITIVE_INFINITY) outcomes.push({ operationId, status, code: error?.code })
    const wrong = verdictOn(operation, request, answer, judges)
    if (wrong !== undefined) fail(`${wrong}: ${status} ${text.slice(0, 500)}`, request, SHRINKS)
  })
  const { failed, seed, counterexamplePath, errorInstance } = await fc.check(property, {
    numRuns: MORE_RUNS[operationId] ?? RUNS,
  })
  return failed ? `${operationId} (seed ${seed}, path ${counterexamplePath}): ${errorInstance}` : undefined
}

function told({ draft, caller, authority }: RandomRequest): string {
  const { method, path, headers, body } = written(draft)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const text = body ? `${body.toString().slice(0, 1500)} (${body.length} bytes)` : 'no body'
  return `${method} ${path} by ${caller.who}, authority ${JSON.stringify(authority)}\n${lines.join('\n')}\n${text}`
}

test('whatever is sent, the answer is one that the document promises, and never a failure', {
  timeout: 120_000,
}, async () => {
  const natives = Object.getOwnPropertyNames(Object.prototype)
  const judges = judgesOf(document)
  const wrong = await Promise.all(operationsOf(document).map((operation) => probe(operation, judges)))
  expect(wrong.filter((report) => report !== undefined).join('\n\n')).toBe('')

  expect(outcomes.length).toBeGreaterThanOrEqual(2000)
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(natives)
})

test('an answer that breaks a promise is seen', async () => {
  const judges = judgesOf(document)
  const operation = operationsOf(document).find(({ operationId }) => operationId === 'createDevice')
  const [caller] = world.masters
  if (!operation || !caller) throw new Error('there is no way to make a device')
  const json = { company_id: gateway.companyId, premises_code: 'POSL1', label: 'seen' }
  const draft = { method: 'POST', path: '/v1/devices', params: {}, query: [], headers: { 'X-Request-Id': 'a' }, json }
  const headers = { ...draft.headers, authorization: String(caller.authorization) }
  const good = await ask({ path: draft.path, headers, body: json })
  const bad = await ask({ path: draft.path, headers, body: { ...json, label: 5 } })
  const judge = (answer: Answer, request: Partial<RandomRequest> = {}) =>
    verdictOn(operation, { draft, caller, authority: null, ...request }, answer, judges)

  expect(judge(good)).toBeUndefined()
  expect(judge(bad)).toBeUndefined()
  expect(judge({ ...good, status: 500 })).toBe('it failed with 500')
  expect(judge({ ...good, status: 202 })).toBe('202 is not documented')
  expect(judge({ ...good, body: { ...good.body, secret: 1 } })).toContain('unevaluated')
  expect(judge({ ...good, body: { ...good.body, isu_status: 'lost' } })).toContain('/isu_status')
  expect(judge({ ...good, headers: { ...good.headers, 'x-request-id': 'b' } })).toBe('X-Request-Id is b')
  expect(judge({ ...good, headers: { ...good.headers, 'ratelimit-reset': undefined } })).toContain('ratelimit-reset')
  expect(judge({ ...bad, status: 409 })).toBeUndefined()
  const renamed = { error: { ...(bad.body.error as object), code: 'unauthorized' } }
  expect(judge({ ...bad, body: renamed })).toContain('/error/code must be equal to one of')
  expect(judge(good, { draft: { ...draft, json: { ...json, label: 5 } } })).toContain('the document forbids')
  expect(judge(good, { draft: { ...draft, bytes: Buffer.from('{') } })).toContain('the document forbids')
  expect(judge(good, { caller: { who: 'nobody', authorization: undefined } })).toContain('without a key')
})

test('much of it succeeded, of every operation, and much was refused for every reason', () => {
  const shares = operationsOf(document).map(({ operationId }) => {
    const statuses = outcomes.filter((outcome) => outcome.operationId === operationId).map(({ status }) => status)
    return { operationId, succeeded: statuses.filter((status) => status < 300).length / statuses.length }
  })
  expect(shares.filter(({ succeeded }) => succeeded < 0.1)).toEqual([])
  expect(new Set(outcomes.map(({ code }) => code)).size).toBeGreaterThan(8)
  const statuses = new Set(outcomes.map(({ status }) => status))
  expect([...statuses].filter((status) => status !== 429).sort()).toEqual([200, 201, 400, 401, 403, 404, 406, 409, 413])
})

const TEXT = { name: 'company_id', value: '00000000-0000-4000-8000-000000000000' }
const FILE = { name: 'file', value: Buffer.alloc(3_000_000), filename: 'file' }

// A connection that nobody reads any more shows only now and then among many.
test.each([
  ['a part that is there twice', [TEXT, TEXT, FILE], {}],
  ['a file of another name', [{ ...FILE, name: 'files' }], {}],
  ['a text that is too long', [{ name: 'passphrase', value: 'x'.repeat(20_000) }, FILE], {}],
  ['a file that is sent as text', [{ name: 'file', value: 'x' }, FILE], {}],
  ['a file that is too large', [TEXT, FILE], {}],
  ['an empty boundary', [TEXT, FILE], { 'Content-Type': 'multipart/form-data; boundary=' }],
])('an upload with %s is refused, and the next request of its connection is answered', async (_what, form, type) => {
  const askAlone = clientOf(gateway, 1)
  const authorization = `Bearer ${await gateway.createKey({ scopes: ['fleet:write', 'certificates:write'] })}`
  for (const path of ['/v1/certificates', '/v1/devices/import']) {
    const draft = { method: 'POST', path, params: {}, query: [], headers: { ...type, authorization }, form }
    const refused = await askAlone(written(draft))
    expect([400, 413]).toContain(refused.status)
    const next = askAlone({ path: '/v1/health' }).then(({ status }) => status, String)
    const tooLate = new Promise((resolve) => setTimeout(resolve, 3000, 'no answer').unref())
    expect(await Promise.race([next, tooLate])).toBe(200)
  }
})

test('the gateway sells as before', async () => {
  gateway.cis.always(null)
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })
})

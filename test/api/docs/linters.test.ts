import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../support/call.ts'
import { startEmptySharedGateway } from '../../support/gateway.ts'
import type { OpenApi } from './support/document.ts'

let document: OpenApi

beforeAll(async () => {
  const server = await startEmptySharedGateway({ FISKD_ROLE: 'server' })
  const ca = readFileSync(join(server.dataDir, 'tls/ca.pem'), 'utf8')
  const { text } = await call({ base: server.url, ca }, { path: '/docs/openapi.json' })
  document = JSON.parse(text)
})

/** Every rule that Redocly recommends, warnings included. */
async function redocly(document: OpenApi): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

/** Every rule that Spectral recommends for OpenAPI, hints included. */
async function spectral(document: OpenApi): Promise<string[]> {
  const linter = new Spectral()
  linter.setRuleset({ extends: [oas as RulesetDefinition] })
  // What it looks at it may change.
  const found = await linter.run(structuredClone(document) as never)
  return found.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)
}

test('Redocly has nothing to say about the document', async () => {
  expect(await redocly(document)).toEqual([])
})

test('Spectral has nothing to say about the document', async () => {
  expect(await spectral(document)).toEqual([])
}, 60_000)

test('the linters see a reference that leads nowhere, a name that is there twice, and what is not described', async () => {
  const broken = structuredClone(document)
  const { get: health } = broken.paths['/v1/health'] ?? {}
  const { get: countries } = broken.paths['/v1/countries'] ?? {}
  if (!health?.responses['200'] || !countries?.responses['200']) throw new Error('the document has changed')
  health.operationId = countries.operationId
  health.responses['200'].content = { 'application/json': { schema: { $ref: '#/components/schemas/Nothing' } } }
  countries.responses['200'] = { ...countries.responses['200'], description: undefined as never }
  const rules = async (lint: typeof redocly) => (await lint(broken)).map((said) => said.replace(/:.*/, ''))
  expect(await rules(redocly)).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'operation-operationId-unique', 'struct']),
  )
  expect(await rules(spectral)).toEqual(
    expect.arrayContaining(['invalid-ref', 'operation-operationId-unique', 'oas3-schema']),
  )
}, 60_000)

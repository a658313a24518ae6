import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, expect, test } from 'vitest'
import { SYNC_KINDS } from '../../../src/fiscal/ports/outbox.ts'
import { startSharedGateway } from '../../support/gateway.ts'
import { addGateway } from '../../support/sync-gateway.ts'

interface Document {
  openapi: string
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  components: { schemas: Record<string, unknown> }
}

let document: Document
let ask: (path: string, method: string) => Promise<number>
beforeAll(async () => {
  const server = await startSharedGateway({ FISKD_ROLE: 'server' })
  const gateway = await addGateway(server)
  document = (await server.v1('/../docs/sync-openapi.json')).body as unknown as Document
  ask = async (path, method) => (await gateway.ask(path, undefined, { method })).status
})

test('/sync/v1 is described by a sound OpenAPI 3.1 document of its own', async () => {
  expect(document.openapi).toBe('3.1.0')
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  const unused = (ruleId: string) => ruleId === 'no-unused-components'
  expect(problems.filter(({ ruleId }) => !unused(ruleId)).map(({ ruleId, message }) => [ruleId, message])).toEqual([])
})

test('every kind of record has its shape there', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(SYNC_KINDS.map((kind) => `row_${kind}`)),
  )
})

test('what is described is there, and asks for a credential unless it is open', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const status = await ask(path.replace('/sync/v1', '').replace('{id}', 'x'), method.toUpperCase())
      expect({ path, status }).toEqual({
        path,
        status: '401' in responses && !path.endsWith('/enroll') ? 401 : expect.any(Number),
      })
      expect(status, path).not.toBe(404)
    }
  }
})

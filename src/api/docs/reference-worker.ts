import { parentPort, workerData } from 'node:worker_threads'
import { createReference } from './make-reference.ts'
import type { AboutRoutes, Asked, Given } from './reference.ts'

/** The thread of the reference: makes it once, and answers what browsers ask of it. */
const reference = createReference(JSON.parse(workerData) as AboutRoutes)

parentPort?.on('message', async ({ id, url, headers }: Asked) => {
  const answer: Given = await reference
    .then(async ({ app, document }) => {
      if (url === '/docs/openapi.json') return { id, status: 200, headers: JSON_TYPE, body: document }
      const { statusCode: status, headers: said, rawPayload: body } = await app.inject({ url, headers })
      return { id, status, headers: said, body }
    })
    .catch(({ message }: Error) => ({ id, why: message }))
  parentPort?.postMessage(answer)
})

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

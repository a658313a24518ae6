import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../support/gateway.ts'
import { clientOf } from './support/client.ts'

test('the first /docs makes nothing beside the sales: another thread makes document and pages, once', async () => {
  const gateway = await startGateway()
  const ask = clientOf(gateway)
  let made = 0
  const watch = () => void made++
  subscribe('fastify.initialization', watch)
  onTestFinished(() => void unsubscribe('fastify.initialization', watch))
  const [page, document, sold] = await Promise.all([
    ask({ path: '/docs' }),
    ask({ path: '/docs/openapi.json' }),
    gateway.sell(),
  ])
  expect(made).toBe(0)
  expect(sold.status).toBe('confirmed')
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } })
  expect(JSON.parse(document.text)).toMatchObject({ openapi: '3.1.0', paths: { '/v1/invoices': expect.any(Object) } })
  const script = await ask({ path: '/docs/static/swagger-ui-bundle.js' })
  expect(script.text.length).toBeGreaterThan(1_000_000)
  const { etag = '' } = script.headers
  const again = await ask({ path: '/docs/static/swagger-ui-bundle.js', headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(await ask({ path: '/docs/static/none.js' })).toMatchObject({ status: 404 })
})

test('a daemon whose reference is open ends, and makes it anew after its next start', async () => {
  const gateway = await startGateway()
  expect((await clientOf(gateway)({ path: '/docs' })).status).toBe(200)
  await gateway.restart()
  expect((await clientOf(gateway)({ path: '/docs' })).status).toBe(200)
})

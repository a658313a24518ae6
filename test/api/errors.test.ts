import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { handleErrors } from '../../src/api/errors.ts'

/** An application whose handler does as the test says, and what it has logged as its own failures. */
async function appWith(handler: () => Promise<unknown>) {
  const failures: string[] = []
  const stream = { write: (line: string) => void failures.push(line) }
  const app = fastify({ logger: { level: 'error', stream } })
  handleErrors(app, () => 'https://docs')
  app.post('/v1/anything', handler)
  const refused: number[] = []
  app.addHook('onSend', async (_request, reply) => void refused.push(reply.statusCode))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { failures, refused, url: new URL('/v1/anything', address) }
}

test('a connection of the server that breaks is an error of the server, not of the caller', async () => {
  const { failures, url } = await appWith(async () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  })
  const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({ error: { code: 'internal_error' } })
  expect(failures).toHaveLength(1)
})

test('a body that its caller breaks off is refused, and is no failure of the server', async () => {
  let isHandled = false
  const { failures, refused, url } = await appWith(async () => {
    isHandled = true
  })
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  socket.write(
    'POST /v1/anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.resetAndDestroy()
  await expect.poll(() => refused).toEqual([400])
  expect([isHandled, failures]).toEqual([false, []])
})

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createFileGiving } from '../../src/dashboard/export/give-file.ts'
import type { PageContext } from '../../src/dashboard/page-routes.ts'

/** A server that gives each user, named by the path, a file without an end. What comes before it takes as long as a test wants. */
async function giving(before = Promise.resolve()) {
  const { give, making } = createFileGiving(async () => {})
  const app = Fastify({ forceCloseConnections: true })
  const refused: string[] = []
  app.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
    await before
    const context = { principal: { id: request.params.id }, reply } as unknown as PageContext
    const file = async () => ({ name: 'a.csv', type: 'text/csv', content: new PassThrough() })
    const given = give(context, file)
    given.catch(({ code }) => refused.push(code))
    return given
  })
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  /** Asks for files over one connection, without waiting for an answer. */
  const ask = async (...users: string[]) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    for (const user of users) socket.write(`GET /${user} HTTP/1.1\r\nhost: x\r\n\r\n`)
    return socket
  }
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)))
  return { ask, making, refused, connections }
}

test('readers who have left before their files are begun take no place', async () => {
  let begin = () => {}
  const { ask, making, refused, connections } = await giving(
    new Promise((resolve) => {
      begin = resolve
    }),
  )
  for (const user of ['ana', 'iva', 'ivo']) (await ask(user)).end().destroy()
  await expect.poll(connections).toBe(0)
  begin()
  await expect.poll(() => refused).toEqual(Array(3).fill('invalid_request'))
  expect(making.size).toBe(0)
})

test('a place is free once the reader has left, also for a file that waited for another one', async () => {
  const { ask, making } = await giving()
  const socket = await ask('ana', 'iva')
  await expect.poll(() => making.size).toBe(2)
  socket.destroy()
  await expect.poll(() => making.size).toBe(0)
})

test('one user has one file at a time, and two users have one each', async () => {
  const { ask, making, refused } = await giving()
  for (const user of ['ana', 'ana', 'iva', 'ivo']) {
    const before = making.size + refused.length
    await ask(user)
    await expect.poll(() => making.size + refused.length).toBe(before + 1)
  }
  expect([...making].map(({ userId }) => userId)).toEqual(['ana', 'iva'])
  expect(refused).toEqual(['rate_limited', 'rate_limited'])
})

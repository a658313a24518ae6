import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'

const END_MS = 10_000

/**
 * Posts JSON to a listener over a connection that exists in memory only, with an idempotency key of its own.
 * @returns the status of the answer
 * @throws Error when there is no answer
 */
export async function postInMemory(listener: RequestListener, path: string, body: object): Promise<number> {
  const text = JSON.stringify(body)
  const [client, connection] = duplexPair()
  const server = createServer({ requireHostHeader: false }, listener)
  server.emit('connection', connection)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Idempotency-Key: ${randomUUID()}`,
  ]
  // Left open: a caller that has ended its side gets no answer.
  client.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  const patience = setTimeout(() => client.destroy(new Error('no answer')), END_MS)
  let answer = ''
  try {
    for await (const chunk of client) answer += chunk
  } finally {
    clearTimeout(patience)
    connection.destroy()
    server.close()
  }
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
  if (status === undefined) throw new Error('there was no answer')
  return Number(status)
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { exchange, jsonOf, type Reply } from '../environment/exchange.ts'
import type { Gateway } from '../environment/proving-ground.ts'
import type { Attempt, Sale } from '../evidence.ts'
import type { Listener } from './listener.ts'

export type Action = (turn: Turn) => Promise<void>

export interface Turn {
  attempt: Attempt
  response: ServerResponse
  /** @param body instead of the firmware's own @throws Error when fiskd is gone */
  forward(body?: Buffer): Promise<Reply>
  /** Sends a whole answer, by `write` if it is to go out in an unusual way. */
  answer(reply: Reply, write?: (response: ServerResponse, body: Buffer) => Promise<void>): Promise<void>
  /** Destroys the connection; with bytes it sends them as they are, and ends its own side as after a whole answer. */
  cut(bytes?: string): void
}

interface Around {
  listener(): Listener
  gateway: Gateway
  life(): number
  isEnding(life: number): boolean
  saleOf(body: Record<string, unknown> | null): Sale | null
  next(): Action
  record(attempt: Attempt): void
}

const INVOICES = /^\/v1\/invoices\/?(\?|$)/
const KEPT_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']

/** Takes each request of the firmware, records it, and has the scenario say what becomes of it. */
export function createFront(around: Around): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const attempt = attemptOf(request, around)
    around.record(attempt)
    const end = (how: Attempt['end']) => {
      if (attempt.end !== 'open') return
      attempt.end = how
      attempt.endedAt = Date.now()
    }
    response.on('error', () => {})
    // The response forgets its socket.
    const { socket } = request
    response.on('close', () => {
      if (response.writableFinished) end('answered')
      else end(around.isEnding(attempt.life) || around.listener().hasDropped(socket) ? 'cut' : 'left')
    })
    const turn: Turn = {
      attempt,
      response,
      forward: (body = attempt.body) => passOn(around.gateway, request, attempt, body),
      async answer(reply, write) {
        if (response.destroyed) return
        const headers = Object.fromEntries(
          Object.entries(reply.headers).filter(([name]) => !KEPT_HEADERS.includes(name)),
        )
        response.writeHead(reply.status, {
          'x-request-id': attempt.requestId,
          ...headers,
          ...(!write && { 'content-length': reply.body.length }),
        })
        if (write) await write(response, reply.body)
        // Before it goes out: the firmware may be quicker than this process.
        const at = Date.now()
        await new Promise<void>((resolve) => {
          response.once('close', resolve)
          response.once('finish', () => {
            attempt.answer = answerOf(attempt, reply, at)
            resolve()
          })
          response.end(write ? undefined : reply.body)
        })
      },
      cut(bytes) {
        end('cut')
        if (bytes === undefined) response.destroy()
        else response.socket?.end(bytes)
      },
    }
    serve(request, turn, around).catch((error: Error) => {
      attempt.note ||= `fiskd gave no answer: ${error.message}`
      turn.cut()
    })
  }
}

async function serve(request: IncomingMessage, turn: Turn, around: Around): Promise<void> {
  const { attempt } = turn
  attempt.body = await buffer(request)
  attempt.json = jsonOf(attempt.body)
  if (attempt.method !== 'POST' || !INVOICES.test(attempt.path)) {
    await turn.answer(await turn.forward())
    return
  }
  attempt.sale = around.saleOf(attempt.json)
  await around.next()(turn)
}

function attemptOf(request: IncomingMessage, { life, listener }: Around): Attempt {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : null
  }
  return {
    life: life(),
    at: Date.now(),
    method: String(request.method),
    path: String(request.url),
    key: header('idempotency-key'),
    authorization: header('authorization'),
    contentType: header('content-type'),
    requestId: header('x-request-id') ?? `trial-${randomUUID().slice(0, 8)}`,
    body: Buffer.alloc(0),
    json: null,
    sale: null,
    shown: listener().shownTo(request.socket),
    answer: null,
    end: 'open',
    endedAt: 0,
    note: '',
  }
}

function passOn(gateway: Gateway, request: IncomingMessage, attempt: Attempt, body: Buffer): Promise<Reply> {
  const running = gateway.process()
  if (!running) throw new Error('it is away')
  const { connection: _, 'transfer-encoding': __, ...headers } = request.headers
  return exchange(
    {
      host: '127.0.0.1',
      port: running.port,
      ca: running.ca,
      method: attempt.method,
      path: attempt.path,
      headers: { ...headers, 'x-request-id': attempt.requestId, 'content-length': String(body.length) },
    },
    body,
  )
}

function answerOf({ method, path }: Attempt, reply: Reply, at: number): Attempt['answer'] {
  const json = jsonOf(reply.body)
  const qrPayload = json?.qr_payload
  const isSearch = method === 'GET' && INVOICES.test(path) && reply.status === 200
  const invoices: unknown[] = isSearch && Array.isArray(json?.data) ? json.data : []
  const retryAfter = reply.headers['retry-after']
  return {
    status: reply.status,
    at,
    retryAfterS: retryAfter === undefined ? null : Number(retryAfter),
    qrPayload: typeof qrPayload === 'string' ? qrPayload : null,
    found: invoices.map((invoice) => String(Object(invoice).total)),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorView } from '../../contract/error.ts'
import { ERRORS, type ErrorCode, typeOf } from '../../domain/errors.ts'
import { jsonOf, type Reply } from '../environment/exchange.ts'
import type { Action } from './front.ts'

/** fiskd answers, and the firmware gets it as it is. */
export const pass: Action = async (turn) => turn.answer(await turn.forward())

/** What became of a sale whose answer the firmware does not see: fiskd stores only what it accepts. */
const fateOf = ({ status }: Reply) => (status === 200 ? 'stored' : `fiskd answered ${status}`)

/** The sale is stored; its answer never comes. */
export const loseAnswer: Action = async (turn) => {
  turn.attempt.note = `${fateOf(await turn.forward())}; the answer was lost`
  turn.cut()
}

export const cutRequest: Action = async (turn) => {
  turn.attempt.note = 'the connection was cut before fiskd had the request'
  turn.cut()
}

/** The sale is stored; the connection ends in the middle of the answer. */
export const cutAnswer: Action = async (turn) => {
  const reply = await turn.forward()
  const { status, body } = reply
  turn.attempt.note = `${fateOf(reply)}; the connection was cut in the middle of the answer`
  turn.response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length })
  await new Promise((resolve) => turn.response.write(body.subarray(0, body.length / 2), resolve))
  await delay(50)
  turn.cut()
}

/** The sale is stored; of an answer without a length half comes, and then the end that says it is whole. */
export const halfClose: Action = async (turn) => {
  const reply = await turn.forward()
  turn.attempt.note = `${fateOf(reply)}; the connection was closed after half of an answer without Content-Length`
  const half = reply.body.subarray(0, reply.body.length / 2).toString('latin1')
  turn.cut(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${half}`)
}

const BEGINNING = 30

/** The sale is stored; its answer begins, and no more comes. */
export const stallAnswer: Action = async (turn) => {
  const reply = await turn.forward()
  const { response, attempt } = turn
  attempt.note = `${fateOf(reply)}; the answer was held after ${BEGINNING} bytes`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.body.length })
  response.write(reply.body.subarray(0, BEGINNING))
  await new Promise((resolve) => response.once('close', resolve))
}

/** The path that a followed redirect leads to. */
export const ELSEWHERE = '/elsewhere/v1/invoices'

/** As something between that sends the caller to another address. */
export const redirect: Action = (turn) => {
  turn.attempt.note = 'answered with 307 to another address; not stored'
  return turn.answer({ status: 307, headers: { location: ELSEWHERE }, body: Buffer.alloc(0) })
}

/** The sale is stored; its answer comes this long after the request. */
export const silence =
  (ms: number): Action =>
  async (turn) => {
    const reply = await turn.forward()
    turn.attempt.note = `the answer was held back for ${ms / 1000} s`
    await delay(ms - (Date.now() - turn.attempt.at))
    await turn.answer(reply)
  }

/** The sale is stored; the answer stays away until the firmware is gone. */
export const hold =
  (stored: () => void): Action =>
  async (turn) => {
    turn.attempt.note = `${fateOf(await turn.forward())}; the answer was held back`
    stored()
    await new Promise((resolve) => turn.response.once('close', resolve))
  }

/** As fiskd answers when it cannot take the sale now. Nothing is stored. */
export const refuse =
  (status: 401 | 409 | 429 | 500, code: ErrorCode, retryAfterS: number | null = null): Action =>
  (turn) => {
    turn.attempt.note = `answered with ${status}; nothing stored by this request`
    const error: ErrorView = {
      error: {
        type: typeOf(status),
        code,
        message: ERRORS[code].means,
        param: null,
        upstream: null,
        doc_url: `https://localhost/docs/errors/${code}`,
      },
    }
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfterS !== null && { 'retry-after': String(retryAfterS) }),
    }
    return turn.answer({ status, headers, body: Buffer.from(JSON.stringify(error)) })
  }

/** As a proxy answers while nothing is behind it: no JSON, and fiskd knows nothing of it. */
export const proxyError =
  (retryAfterS: number): Action =>
  (turn) => {
    turn.attempt.note = 'a proxy answered with 503; not stored'
    const headers = { 'content-type': 'text/html', 'retry-after': String(retryAfterS) }
    return turn.answer({ status: 503, headers, body: Buffer.from('<h1>503 Service Unavailable</h1>\n') })
  }

/** The answer of a later version, which has more fields. */
export const withMoreFields: Action = async (turn) => {
  const reply = await turn.forward()
  turn.attempt.note = 'the answer has fields that the firmware does not know'
  const { status, ...rest } = jsonOf(reply.body) ?? {}
  const body = {
    trial_note: { unknown: [1, 2, { more: null }] },
    ...rest,
    status,
    another_new_field: 'ignored',
    flags: [],
  }
  await turn.answer({ ...reply, body: Buffer.from(JSON.stringify(body)) })
}

const PIECE = 7
const BETWEEN_MS = 5

export const inPieces: Action = async (turn) => {
  const reply = await turn.forward()
  turn.attempt.note = 'the answer came in pieces of a few bytes'
  await turn.answer(reply, async (response, body) => {
    response.socket?.setNoDelay(true)
    for (let at = 0; at < body.length; at += PIECE) {
      response.write(body.subarray(at, at + PIECE))
      await delay(BETWEEN_MS)
    }
  })
}

/** fiskd sees the sale as a gateway does whose clock is behind by this much. */
export const clockBehind =
  (ms: number): Action =>
  async (turn) => {
    turn.attempt.note = 'the clock of the gateway was a day behind'
    const reply: Reply = await turn.forward(movedBy(turn.attempt.body, ms))
    await turn.answer(reply)
  }

function movedBy(body: Buffer, ms: number): Buffer {
  const sale = jsonOf(body)
  const at = Date.parse(String(sale?.occurred_at))
  return sale && !Number.isNaN(at)
    ? Buffer.from(JSON.stringify({ ...sale, occurred_at: new Date(at + ms).toISOString() }))
    : body
}

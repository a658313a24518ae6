import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMisbehaviour, type Misbehaviour } from './misbehaviours.ts'

export const CONTROL_PATH = '/_simulator/'

interface Controlled {
  received: unknown[]
  misbehave(...list: Misbehaviour[]): void
  always(behaviour: Misbehaviour | null): void
}

interface Order {
  behaviours: Misbehaviour[]
  always?: Misbehaviour | null
}

/**
 * The control endpoint beside the service:
 * `POST /_simulator/misbehave` `{ "behaviours": [...], "always": ... }` answers 204, or 400 with `{ error }`;
 * `GET /_simulator/received` answers the messages processed so far.
 */
export function control(request: IncomingMessage, response: ServerResponse, body: string, simulator: Controlled): void {
  const what = `${request.method} ${request.url?.slice(CONTROL_PATH.length)}`
  if (what === 'GET received') json(response, 200, { received: simulator.received })
  else if (what === 'POST misbehave') obey(readOrder(body), response, simulator)
  else json(response, 404, { error: 'try GET received or POST misbehave' })
}

function obey(order: Order | string, response: ServerResponse, simulator: Controlled): void {
  if (typeof order === 'string') {
    json(response, 400, { error: order })
    return
  }
  simulator.misbehave(...order.behaviours)
  if (order.always !== undefined) simulator.always(order.always)
  response.writeHead(204).end()
}

/** The order, or a description of its fault. */
function readOrder(body: string): Order | string {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return 'the body is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the body is not an object'
  const stranger = Object.keys(value).find((key) => key !== 'behaviours' && key !== 'always')
  if (stranger !== undefined) return `${stranger} is not known: give behaviours, always or both`
  const behaviours = 'behaviours' in value ? value.behaviours : []
  if (!Array.isArray(behaviours)) return 'behaviours is not a list'
  const unknown = behaviours.find((one) => !isMisbehaviour(one))
  if (unknown !== undefined) return `behaviours: ${JSON.stringify(unknown)} is not known`
  if (!('always' in value)) return { behaviours }
  if (value.always !== null && !isMisbehaviour(value.always)) {
    return `always: ${JSON.stringify(value.always)} is not known`
  }
  return { behaviours, always: value.always }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

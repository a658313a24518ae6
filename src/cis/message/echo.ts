import { randomUUID } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Probe } from '../../fiscal/ports/tax-authority.ts'
import { echoedText } from '../answer/echoed-text.ts'
import { FISCAL_NAMESPACE } from '../namespaces.ts'
import { isClosed } from '../service-windows.ts'
import type { Reply, Transport } from '../transport/transport.ts'
import { envelope, soapHeaders } from './soap.ts'

const CLOSED = 'The test service is closed now: on weekdays 16:00-17:00 and on Sundays 08:00-12:00, Europe/Zagreb.'

/** Whether the same text came back. */
export function probeOf({ problem, latencyMs }: Echoed, mode: Mode, endpoint: string, at: EpochMs): Probe {
  if (problem === null) return { reachable: true, latencyMs, endpoint, detail: null }
  const detail = isClosed(mode, at) ? `${CLOSED} The echo failed: ${problem}.` : `The echo failed: ${problem}.`
  return { reachable: false, latencyMs, endpoint, detail }
}

export interface Echoed {
  /** What is wrong with the answer; null when it is the text that was sent. */
  problem: string | null
  latencyMs: number
  reply: Reply
}

/** Asks the service for an echo (CIS specification, 2.4). */
export async function echo(transport: Transport, mode: Mode): Promise<Echoed> {
  const text = `fiskd ${randomUUID()}` // never the same twice, so that no cache on the way can answer
  const message = Buffer.from(`<tns:EchoRequest xmlns:tns="${FISCAL_NAMESPACE}">${text}</tns:EchoRequest>`)
  const start = performance.now()
  const reply = await transport.post(mode, soapHeaders('echo'), envelope(message))
  const latencyMs = Math.round(performance.now() - start)
  return { problem: problemOf(reply, text), latencyMs, reply }
}

function problemOf(reply: Reply, text: string): string | null {
  if (!reply.arrived) return reply.reason
  const echoed = echoedText(reply.body)
  if (echoed === text) return null
  const what = echoed === undefined ? 'something else than an echo came back' : 'another text came back'
  return `${what} (HTTP ${reply.status})`
}

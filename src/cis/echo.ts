import { randomUUID } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { Probe } from '../fiscal/ports.ts'
import { FISCAL_NAMESPACE } from './namespaces.ts'
import { isClosed } from './service-windows.ts'
import { envelope, soapContent, soapHeaders } from './soap.ts'
import type { Reply, Transport } from './transport.ts'
import { condition, textAt } from './xml-path.ts'
import { readXml } from './xml-reader.ts'

const CLOSED = 'The test service is closed now: on weekdays 16:00-17:00 and on Sundays 08:00-12:00, Europe/Zagreb.'

const isEcho = condition('self::tns:EchoResponse[not(node()[not(self::text())])]')
const textIn = textAt('.')

/** Asks the service for an echo and tells whether the same text came back (CIS specification, 2.4). */
export async function probe(transport: Transport, mode: Mode, endpoint: string, now: () => EpochMs): Promise<Probe> {
  const { problem, latencyMs } = await echo(transport, mode)
  if (problem === null) return { reachable: true, latencyMs, endpoint, detail: null }
  const detail = isClosed(mode, now()) ? `${CLOSED} The echo failed: ${problem}.` : `The echo failed: ${problem}.`
  return { reachable: false, latencyMs, endpoint, detail }
}

/** @returns what is wrong with the answer, null when it is the text that was sent */
export async function echo(transport: Transport, mode: Mode) {
  const text = `fiskd ${randomUUID()}` // never the same twice, so that no cache on the way can answer
  const message = `<tns:EchoRequest xmlns:tns="${FISCAL_NAMESPACE}">${text}</tns:EchoRequest>`
  const start = performance.now()
  const reply = await transport.post(mode, soapHeaders('echo'), envelope(message))
  const latencyMs = Math.round(performance.now() - start)
  return { problem: problemOf(reply, text), latencyMs, date: reply.arrived ? reply.date : null }
}

function problemOf(reply: Reply, text: string): string | null {
  if (!reply.arrived) return reply.reason
  const echoed = echoedText(reply.body)
  if (echoed === text) return null
  const what = echoed === undefined ? 'something else than an echo came back' : 'another text came back'
  return `${what} (HTTP ${reply.status})`
}

function echoedText(body: Buffer): string | undefined {
  try {
    return readXml(body, (document) => {
      const content = soapContent(document)
      return content && isEcho(content) ? textIn(content) : undefined
    })
  } catch {
    return undefined
  }
}

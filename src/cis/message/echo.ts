import { randomUUID } from 'node:crypto'
import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { type Both, together } from '../../domain/texts/both.ts'
import type { Probe } from '../../fiscal/ports/tax-authority.ts'
import { condition, readXml, soapContent, textAt } from '../answer/xml-reader.ts'
import { FISCAL_NAMESPACE } from '../namespaces.ts'
import { isClosed } from '../service-windows.ts'
import type { Reply, Transport } from '../transport/transport.ts'
import { envelope, SOAP_HEADERS } from './soap.ts'

const CLOSED = {
  en: 'The test service is closed now: on weekdays 16:00-17:00 and on Sundays 08:00-12:00, Europe/Zagreb.',
  hr: 'Testna usluga sada je zatvorena: radnim danom od 16:00 do 17:00 i nedjeljom od 08:00 do 12:00.',
}

export function probeOf({ problem, latencyMs }: Echoed, mode: Mode, endpoint: string, at: EpochMs): Probe {
  if (problem === null) return { reachable: true, latencyMs, endpoint, detail: null }
  const failed = { en: `The echo failed: ${problem.en}.`, hr: `Probna poruka nije uspjela: ${problem.hr}.` }
  const detail = isClosed(mode, at) ? together`${CLOSED} ${failed}` : failed
  return { reachable: false, latencyMs, endpoint, detail }
}

export interface Echoed {
  /** What is wrong with the answer; null when it is the text that was sent. */
  problem: Both | null
  latencyMs: number
  reply: Reply
}

/** Asks the service for an echo (CIS specification, 2.4). */
export async function echo(transport: Transport, mode: Mode): Promise<Echoed> {
  const text = `fiskd ${randomUUID()}` // never the same twice, so that no cache on the way can answer
  const message = Buffer.from(`<tns:EchoRequest xmlns:tns="${FISCAL_NAMESPACE}">${text}</tns:EchoRequest>`)
  const start = performance.now()
  const reply = await transport.post(mode, SOAP_HEADERS.echo, envelope(message))
  const latencyMs = Math.round(performance.now() - start)
  return { problem: problemOf(reply, text), latencyMs, reply }
}

function problemOf(reply: Reply, text: string): Both | null {
  if (!reply.arrived) return reply.reason
  const echoed = echoedText(reply.body)
  if (echoed === text) return null
  return echoed === undefined
    ? {
        en: `something else than an echo came back (HTTP ${reply.status})`,
        hr: `odgovor nije probna poruka (HTTP ${reply.status})`,
      }
    : { en: `another text came back (HTTP ${reply.status})`, hr: `vraćen je drugi tekst (HTTP ${reply.status})` }
}

const isEcho = condition('self::tns:EchoResponse[not(node()[not(self::text())])]')
const textIn = textAt('.')

/** @returns the text of an echo; undefined when the body is no echo */
export function echoedText(body: Buffer): string | undefined {
  const read = () =>
    readXml(body, ({ root }) => {
      const content = soapContent(root)
      return content && isEcho(content) ? textIn(content) : undefined
    })
  return attempt(read, undefined)
}

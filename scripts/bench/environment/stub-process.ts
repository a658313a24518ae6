import { setTimeout as pause } from 'node:timers/promises'
import { createServer, type TLSSocket } from 'node:tls'
import { createPki, loadPki } from '../../../src/simulator/index.ts'
import { echoEnvelope, faultEnvelope } from '../../../src/simulator/soap.ts'
import type { AuthorityFacts } from '../../chaos/authority.ts'
import { obey, settingsOfChild } from '../../chaos/child.ts'
import { createAnswers } from './answers.ts'
import { indexOf } from './sequence.ts'
import type { Served, StubSettings } from './stub.ts'

/**
 * The authority that costs nothing: it takes requests straight off the TLS socket and answers with what was signed
 * before. It judges nothing; what fiskd sends is judged by the simulator in the tests.
 */
const { port, oib, answerMs, pki: given } = settingsOfChild<StubSettings>()
const pki = given ? loadPki(given) : await createPki()
const company = await pki.issueCompany({ oib })
const answers = await createAnswers(pki.signer, Date.now())
const served: Served = { signed: 0, live: 0, connections: 0 }

const server = createServer({ key: pki.tls.keyPem, cert: pki.tls.certPem, minVersion: 'TLSv1.2' }, (socket) => {
  served.connections++
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  let taken = ''
  socket.on('data', (chunk: Buffer) => {
    taken += chunk.toString('latin1')
    for (;;) {
      const head = taken.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/^content-length: *(\d+)/im.exec(taken.slice(0, head))?.[1] ?? 0)
      const end = head + 4 + length
      if (taken.length < end) return
      void answer(socket, taken.slice(head + 4, end))
      taken = taken.slice(end)
    }
  })
})

async function answer(socket: TLSSocket, request: string): Promise<void> {
  const id = between(request, '<tns:IdPoruke>', '<')
  const echo = between(request, '<tns:EchoRequest', '</')?.split('>')[1]
  if (answerMs !== undefined && id !== undefined) await pause(answerMs)
  if (socket.destroyed) return
  if (id !== undefined) respond(socket, 200, ofMessage(id) ?? (await answers.now(id)))
  else if (echo !== undefined) respond(socket, 200, echoEnvelope(echo))
  else respond(socket, 500, faultEnvelope('Client', 'neither a message nor an echo'))
}

/** @returns undefined when nothing was signed for it before */
function ofMessage(id: string): string | undefined {
  const ready = answers.of(indexOf(id))
  if (ready !== undefined) served.signed++
  else served.live++
  return ready
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before)
  return start < 0 ? undefined : text.slice(start + before.length, text.indexOf(after, start + before.length))
}

function respond(socket: TLSSocket, status: 200 | 500, body: string): void {
  socket.write(
    `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Internal Server Error'}\r\nContent-Type: text/xml; charset=utf-8\r\n` +
      `Date: ${new Date().toUTCString()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
obey({
  facts: (): AuthorityFacts => ({
    url: `https://127.0.0.1:${port}/FiskalizacijaServiceTest`,
    bundlePem: pki.bundlePem,
    p12: company.p12.toString('base64'),
    passphrase: company.passphrase,
  }),
  sign: (count: number) => answers.sign(count),
  served: () => served,
})

import { once } from 'node:events'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createPki, startSimulator } from '../../src/simulator/index.ts'
import { obey, settingsOfChild } from '../chaos/child.ts'
import { changedXml, endless } from './changes.ts'

/**
 * Two simulated tax authorities in a process of their own: an honest one for the test mode, and for the live mode one whose
 * answers are changed on their way when that is wanted.
 */

const { seed } = settingsOfChild<{ seed: number }>()
const PKI_AGE_MS = 60 * 86_400_000
const pki = await createPki({ notBefore: new Date(Date.now() - PKI_AGE_MS) })
const honest = await startSimulator({ pki })
const live = await startSimulator({ pki, mode: 'live' })
let changes = false
let changed = 0

const server = createServer({ cert: pki.tls.certPem, key: pki.tls.keyPem }, (request, response) => {
  const onward = httpsRequest(
    new URL(request.url ?? '/', live.url),
    { method: String(request.method), headers: request.headers, ca: pki.bundlePem },
    async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      if (!changes) return response.writeHead(answer.statusCode ?? 500, { 'content-type': 'text/xml' }).end(body)
      changed++
      const spoilt = endless(changedXml(body.toString('utf8')), seed + changed * 31).next().value
      const status = STATUSES[changed % STATUSES.length] ?? 200
      response.writeHead(status, { 'content-type': TYPES[changed % TYPES.length] }).end(spoilt)
    },
  )
  onward.on('error', () => response.destroy())
  response.on('error', () => {})
  request.pipe(onward)
})
const STATUSES = [200, 200, 200, 200, 500, 200, 500, 204, 302, 404, 503]
const TYPES = ['text/xml;charset=UTF-8', 'text/xml', 'application/soap+xml', 'text/html', 'text/xml;charset=UTF-16']
server.listen(0, '127.0.0.1')
await once(server, 'listening')

obey({
  facts: () => ({
    url: honest.url,
    liveUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(live.url).pathname}`,
    bundlePem: pki.bundlePem,
    issuing: pki.toJSON().issuing,
  }),
  async issue(oib: string) {
    const { p12, passphrase } = await pki.issueCompany({ oib })
    return { p12: p12.toString('base64'), passphrase }
  },
  change(on: boolean) {
    changes = on
  },
  changed: () => changed,
})

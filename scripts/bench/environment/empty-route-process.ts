import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { createPki } from '../../../src/simulator/index.ts'
import { obey } from '../../chaos/child.ts'

/** What fastify can do at all on this machine: a route over TLS that does nothing. */
const pki = await createPki()
const app = Fastify({ https: { key: pki.tls.keyPem, cert: pki.tls.certPem } })
app.post('/', async () => ({ ok: true }))
await app.listen({ port: 0, host: '127.0.0.1' })
obey({ facts: () => ({ port: (app.server.address() as AddressInfo).port, ca: pki.bundlePem }) })

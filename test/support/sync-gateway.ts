import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { SyncRecord } from '../../src/fiscal/ports/outbox.ts'
import { newNonce } from '../../src/sync/gateway/handshake.ts'
import type { EnrollResponse, HelloResponse, PushResponse } from '../../src/sync/wire/messages.ts'
import { encodeRecord } from '../../src/sync/wire/records.ts'
import { type Answer, call } from './call.ts'
import type { Gateway } from './gateway.ts'

type Refused = { error: { code: string; message: string; param: string | null } }

/** Somebody who speaks `/sync/v1`, and may say what no gateway would. */
export interface Speaker {
  id: string
  name: string
  token: string
  credential: string
  session: string
  ask<T = Record<string, never>>(path: string, body: unknown, options?: Asking): Promise<Answer<T & Refused>>
  enroll(changes?: object): Promise<Answer<EnrollResponse & Refused>>
  hello(changes?: object, session?: string): Promise<Answer<HelloResponse & Refused>>
  /** Everything so far, unless `changes` say otherwise. */
  push(records: readonly SyncRecord[], changes?: object): Promise<Answer<PushResponse & Refused>>
  /** Records as they stand on the wire, be they what they may. */
  pushRaw(
    records: readonly ({ version: number } & Record<string, unknown>)[],
    changes?: object,
  ): Promise<Answer<PushResponse & Refused>>
}

interface Asking {
  headers?: Record<string, string | undefined>
  method?: string
}

let names = 0

/** Adds a gateway to a server, without enrolling it. @param tenant whose it is; the default one when left out */
export async function addGateway(
  server: Gateway,
  name = `kiosk-${process.pid}-${++names}`,
  tenant?: string,
): Promise<Speaker> {
  const headers = tenant === undefined ? {} : { 'x-tenant': tenant }
  const added = await server.admin<{ id: string; token: string }>('/admin/gateways', { body: { name }, headers })
  if (added.status !== 201) throw new Error(added.text)
  const credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
  const publicKey = generateKeyPairSync('x25519').publicKey.export({ format: 'der', type: 'spki' })
  let position = 0

  const speaker: Speaker = {
    ...{ id: added.body.id, name, token: added.body.token, credential, session: randomUUID() },
    ask(path, body, { headers, method = 'POST' } = {}) {
      const ca = readFileSync(join(server.dataDir, 'tls', 'ca.pem'), 'utf8')
      const json = body === undefined || Buffer.isBuffer(body) ? body : gzipSync(JSON.stringify(body))
      return call(
        { base: server.url, ca },
        {
          ...{ path: `/sync/v1${path}`, method, body: json },
          headers: {
            authorization: `Bearer ${speaker.credential}`,
            'fiskd-sync-session': speaker.session,
            ...(json !== undefined && { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
            ...headers,
          },
        },
      )
    },
    enroll: (changes) =>
      speaker.ask('/enroll', {
        ...{
          token: speaker.token,
          protocol: 1,
          program: '1.0.0',
          host: 'kiosk',
          last: 0,
          premises: [],
          nonce: newNonce(),
        },
        credential_hash: createHash('sha256').update(speaker.credential).digest('hex'),
        public_key: publicKey.toString('base64url'),
        ...changes,
      }),
    hello: (changes, session = speaker.session) =>
      speaker.ask(
        '/hello',
        { protocol: 1, program: '1.0.0', last: position, last_command: 0, premises: [], nonce: newNonce(), ...changes },
        { headers: { 'fiskd-sync-session': session } },
      ),
    push: (records, changes) =>
      speaker.pushRaw(
        records.map((one) => ({ ...encodeRecord(one) })),
        changes,
      ),
    pushRaw(records, changes) {
      const after = position
      position = Math.max(position, ...records.map(({ version }) => version))
      return speaker.ask('/push', { after, position, records, ...changes })
    },
  }
  return speaker
}

/** A gateway that has enrolled and said hello. */
export async function enrolGateway(server: Gateway, name?: string, tenant?: string): Promise<Speaker> {
  const speaker = await addGateway(server, name, tenant)
  for (const answer of [await speaker.enroll(), await speaker.hello()]) {
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return speaker
}

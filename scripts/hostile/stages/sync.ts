import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { SyncRecord } from '../../../src/fiscal/ports/outbox.ts'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import type { Fleet } from '../../../test/support/sync-rows.ts'
import { record } from '../../../test/support/sync-rows.ts'
import type { Question } from '../../chaos/http.ts'
import { JSON_TYPE } from '../../chaos/http.ts'
import { changedJson, endless } from '../changes.ts'
import { type Stage, times } from '../stage.ts'
import type { World } from '../world.ts'

/** Rows, greetings and results of a stolen gateway, some of them about rows of another tenant. */
export const sync: Stage = {
  name: 'requests of /sync/v1',
  share: 0.2,
  async run({ world: { server, attacker, neighbour }, seed, send }, count) {
    const { speaker } = attacker
    const rows = rowsOf(attacker.fleet)
    const push = { after: 0, position: 10, records: rows }
    const kinds = [
      ['/push', push],
      ['/push', { ...push, records: rows.slice(0, 4) }],
      ['/push', { ...push, records: rowsOf(neighbour.fleet) }],
      ['/hello', { ...GREETING, last: 9, premises: [premisesOf(attacker.fleet)] }],
      ['/hello', { ...GREETING, last: 9, premises: [premisesOf(neighbour.fleet)] }],
      [`/commands/${randomUUID()}`, { status: 'done', result: { a: [1, { b: 'c' }] } }],
      [
        '/enroll',
        {
          token: speaker.token,
          protocol: 1,
          program: '1',
          credential_hash: 'ab'.repeat(32),
          public_key: 'MCow',
          host: 'a',
          last: 0,
          premises: [],
          nonce: NONCE,
        },
      ],
    ] as const
    const bodies = kinds.map(([path, body]) => ({ path, body: endless(changedJson(body), seed) }))
    await times(count, async (n) => {
      const { path, body } = bodies[n % bodies.length] as (typeof bodies)[number]
      await send(server, speaks(speaker, path, body.next().value, n % 9 !== 0))
    })
  },
}

/** Heartbeats of that gateway, and the pages that show them. */
export const heartbeats: Stage = {
  name: 'heartbeats',
  share: 0.1,
  async run({ world: { server, attacker }, seed, send }, count) {
    const { speaker } = attacker
    const now = new Date().toISOString()
    const heartbeat = {
      version: '1.0.0',
      uptime_s: 100,
      can_sell: true,
      problems: [{ code: 'a', message: 'b' }],
      queue: { pending: 1, retrying: 1, failed: 1, expired: 1, oldest_at: now },
      outbox: { waiting: 1, refused: 0 },
      printers: [{ device_id: randomUUID(), state: 'ready', paper: 'ok', reason: null }],
      last_jir_at: now,
      restored_at: null,
      clock: { status: 'synchronised', trusted: true, offset_ms: 3, now },
      disk: { free_bytes: 1e9, left_out: [] },
    }
    const beats = endless(changedJson(heartbeat), seed)
    const whole = endless(changedJson({ wait_s: 0, heartbeat, last_command: 0 }), seed)
    await send(server, speaks(speaker, '/hello', JSON.stringify(GREETING), true))
    await times(count, async (n) => {
      const body = n % 4 === 0 ? whole.next().value : `{"wait_s":0,"last_command":0,"heartbeat":${beats.next().value}}`
      // Whoever asks to wait gets no answer before.
      if (/"wait_s":[1-9]/.test(body)) return
      await send(server, speaks(speaker, '/poll', body, n % 3 !== 0))
    })
  },
}

const NONCE = 'n'.repeat(43)
const GREETING = { protocol: 1, program: '1.0.0', last: 1e6, last_command: 0, premises: [], nonce: NONCE }

export function speaks(
  { credential, session }: World['attacker']['speaker'],
  path: string,
  json: string,
  zipped: boolean,
): Question {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${credential}`, 'fiskd-sync-session': session }
  return {
    method: 'POST',
    path: `/sync/v1${path}`,
    headers: zipped ? { ...headers, 'content-encoding': 'gzip' } : headers,
    body: zipped ? gzipSync(json, { level: 1 }) : json,
  }
}

const premisesOf = ({ companyId, device }: Fleet) => ({ company_id: companyId, premises_code: device.premisesCode })

/** One row of each kind, as they stand on the wire. */
function rowsOf(fleet: Fleet): object[] {
  const invoice = fleet.invoice(1)
  const all: SyncRecord[] = [
    ...fleet.parents(),
    record('invoice', invoice),
    record('message', fleet.message(invoice.id)),
    record('print_job', fleet.printJob(invoice.id)),
    record('alert', fleet.alert()),
  ]
  return all.map((one) => JSON.parse(JSON.stringify(encodeRecord(one))))
}

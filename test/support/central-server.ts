import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import type { DestinationStream } from 'pino'
import { onTestFinished } from 'vitest'
import { type CutLink, startCutLink } from './cut-link.ts'
import { type Gateway, startEmptyGateway, startGateway } from './gateway.ts'
import { PATIENCE_MS } from './patience.ts'

/** What `GET /admin/sync` says of a gateway that is enrolled. */
export interface SyncBody {
  enrolled: boolean
  sync: {
    state: string
    server: string
    waiting: number
    refused: number
    last_push_at: string | null
    last_error: { code: string; message: string } | null
    gateway: { id: string; name: string }
    other_tenants: string[]
    tells_again: boolean
    conflicts: { what: string; value: string }[]
  }
  refusals: { kind: string; id: string; version: number; code: string; message: string }[]
  error: { code: string; message: string; param: string | null }
}

/** A server that gateways are enrolled at, over a line that may be cut. */
export interface Central {
  server: Gateway
  link: CutLink
  /** Makes a token. */
  token(name: string, options?: { again?: boolean }): Promise<string>
  /** Enrols a gateway over the line; it must succeed. */
  enroll(gateway: Gateway, name?: string, options?: { again?: boolean }): Promise<void>
  /** How the server sees a gateway. */
  seen(name: string): Promise<{ id: string; state: string; refused: number; refusals: { id: string; code: string }[] }>
}

export async function startCentral(env: Record<string, string> = {}): Promise<Central> {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server', ...env })
  const link = await startCutLink(() => server.url, onTestFinished)
  const central: Central = {
    server,
    link,
    async token(name, options) {
      const added = await server.admin<{ token: string }>('/admin/gateways', { body: { name, ...options } })
      if (added.status !== 201) throw new Error(added.text)
      return added.body.token
    },
    async enroll(gateway, name = 'kiosk', options) {
      const body = { url: link.url, token: await central.token(name, options) }
      const enrolled = await gateway.admin('/admin/sync/enroll', { body })
      if (enrolled.status !== 200) throw new Error(enrolled.text)
    },
    async seen(name) {
      const { body } = await server.admin<never>(`/admin/gateways/${name}`)
      return body
    },
  }
  return central
}

/** A server and a gateway that sells, enrolled at it. */
export async function startEnrolled(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
): Promise<Central & { gateway: Gateway }> {
  const central = await startCentral()
  const gateway = await startGateway(env, logTo)
  await central.enroll(gateway)
  return { ...central, gateway }
}

export async function syncOf(gateway: Gateway): Promise<SyncBody> {
  return (await gateway.admin<SyncBody>('/admin/sync')).body
}

/** Waits until the gateway has told everything, but what its server does not take. */
export async function told(gateway: Gateway, withinMs = PATIENCE_MS): Promise<SyncBody> {
  const until = Date.now() + withinMs
  for (let look = 0; ; look++) {
    // Again and again, for a server that has just come back is waited for by now.
    if (look % LOOKS === 0) await gateway.admin('/admin/sync/now', { method: 'POST' })
    await new Promise((resolve) => setTimeout(resolve, 40))
    const body = await syncOf(gateway)
    // What is set aside waits, and is not told.
    if (body.sync.waiting === body.sync.refused && body.sync.state === 'connected' && !body.sync.tells_again)
      return body
    if (Date.now() > until) throw new Error(`not told within ${withinMs} ms: ${JSON.stringify(body)}`)
  }
}

const LOOKS = 10

const TABLES = {
  companies: 'id',
  certificates: 'id',
  devices: 'id',
  invoices: 'id',
  messages: 'id',
  print_jobs: 'invoice_id, copy',
  alerts: 'id',
} as const

/** Every row that a gateway tells of, or that the server has of it, without what differs between the two. */
export function replicatedRows(database: string, gatewayId: string | null): Record<string, unknown[]> {
  const db = new Database(database, { readonly: true })
  try {
    return Object.fromEntries(
      Object.entries(TABLES).map(([table, order]) => {
        const owner = gatewayId ?? ''
        const narrow =
          table === 'messages'
            ? `WHERE invoice_id IN (SELECT id FROM invoices WHERE gateway_id = ?)`
            : 'WHERE gateway_id = ?'
        const rows = db.prepare(`SELECT * FROM ${table} ${narrow} ORDER BY ${order}`).all(owner) as Record<
          string,
          unknown
        >[]
        return [table, rows.map(comparable)]
      }),
    )
  } finally {
    db.close()
  }
}

function comparable(row: Record<string, unknown>) {
  const { gateway_id: _g, sync_version: _v, tenant_id: _t, sealed_key: _k, ...told } = row
  for (const field of ['request_xml', 'response_xml']) {
    if (told[field]) told[field] = gunzipSync(told[field] as Buffer).toString('utf8')
  }
  for (const field of ['document', 'receipt', 'address', 'fiscal_config', 'device_config', 'detail']) {
    const text = told[field]
    if (typeof text === 'string' && text.startsWith('{')) told[field] = JSON.parse(text)
  }
  return told
}

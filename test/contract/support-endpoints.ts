import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type Call, call } from '../support/call.ts'
import type { Gateway, InvoiceBody } from '../support/gateway.ts'

/** Whatever an endpoint answers; a test says itself what it expects. */
export interface Body {
  id: string
  data: Body[]
  has_more: boolean
  next_cursor: string | null
  checked_at: string
  error: InvoiceBody['error']
  [field: string]: unknown
}

export type Options = Omit<Call, 'path'>
export type Ask = (path: string, options?: Options) => Promise<Answer<Body>>

/** Over TLS as a client that has no key; the path begins at the host. */
export function keyless(gateway: Gateway, path: string, options: Options = {}): Promise<Answer<Body>> {
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8')
  return call({ base: gateway.url, ca }, { ...options, path })
}

/** Over TLS with a key of its own, which may do everything unless scopes are given; the path begins below `/v1`. */
export async function clientOf(gateway: Gateway, key: object = {}): Promise<Ask> {
  const scopes = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']
  const authorization = `Bearer ${await gateway.createKey({ scopes, ...key })}`
  return (path, options) =>
    keyless(gateway, `/v1${path}`, { ...options, headers: { authorization, ...options?.headers } })
}

/** Makes a user of the dashboard and signs in. @returns the headers that say so */
export async function signIn(gateway: Gateway, name: string): Promise<Record<string, string>> {
  const user = { name, password: 'dovoljno duga lozinka' }
  const made = await gateway.admin('/admin/users', { body: { ...user, role: 'operator' } })
  if (made.status !== 201) throw new Error(made.text)
  const { headers, body } = await keyless(gateway, '/dashboard/session', { body: user })
  const cookie = String(headers['set-cookie']?.[0]).replace(/;.*/, '')
  return { cookie, 'x-csrf-token': String(body.csrf_token) }
}

/** The parts of a device import. */
export function importForm(companyId: string, csv: string | Buffer, parts: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set('company_id', companyId)
  for (const [name, value] of Object.entries(parts)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(Buffer.from(csv))]), 'devices.csv')
  return form
}

/** A form as the same bytes each time it is sent: otherwise every request has a boundary of its own. */
export async function frozen(form: FormData): Promise<{ body: Buffer; headers: { 'content-type': string } }> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { body: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
}

/** The closed set of `error.type`, one per status (docs/spec/interface.md, Errors). */
export const TYPES: Record<number, string> = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  409: 'conflict',
  413: 'validation_error',
  429: 'rate_limit_error',
  500: 'api_error',
}

/** What an answer that refuses must match. */
export function refused(status: number, code: string, param: string | null) {
  return { status, body: { error: { type: TYPES[status], code, param } } }
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** ISO 8601 with an explicit offset. */
export const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/

export const DAY_MS = 86_400_000

/** The moment so many milliseconds from now. */
export function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

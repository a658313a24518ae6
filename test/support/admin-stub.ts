import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRUST_LISTS } from '../../src/domain/certificate.ts'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { MODES } from '../../src/domain/sale/sale.ts'
import { CERTIFICATE, COMPANY } from './stub-answers.ts'

/** What a command sent. A multipart body is shown as its parts; a file as its name and bytes. */
export interface Seen {
  method: string
  path: string
  query: Record<string, string>
  contentType: string | undefined
  body: Record<string, unknown> | undefined
}

export interface Reply {
  status: number
  body: unknown
}

/**
 * Acts out the daemon's admin socket for the tests of `fisk`: a real HTTP server on a unix socket that remembers the
 * companies, devices and keys it was given. It knows none of the daemon's rules but "exists already".
 */
export interface AdminStub {
  socket: string
  /** The directory of the socket, removed with the stub. */
  directory: string
  seen: Seen[]
  companies: Record<string, unknown>[]
  devices: Record<string, unknown>[]
  certificates: Record<string, unknown>[]
  keys: Record<string, unknown>[]
  /** Changes what `GET /admin/status` says. */
  status: Record<string, unknown>
  /** All that `GET /admin/status` says. */
  wholeStatus(): object
  /** Answers one route from now on, such as `POST /v1/companies`; ids in a path are written `*`. */
  answer(route: string, reply: Reply | ((seen: Seen) => Reply)): void
  close(): Promise<void>
}

/** An error body as the daemon sends it. */
export function refusal(status: number, code: string, message: string, param: string | null = null): Reply {
  const types: Record<number, string> = { 400: 'validation_error', 403: 'permission_error', 404: 'not_found' }
  const type = types[status] ?? (status === 409 ? 'conflict' : 'api_error')
  const doc_url = `https://localhost:8443/docs/errors/${code}`
  return { status, body: { error: { type, code, message, param, upstream: null, doc_url } } }
}

export async function startAdminStub(): Promise<AdminStub> {
  const directory = await mkdtemp(join(tmpdir(), 'fisk-'))
  const socket = join(directory, 'fiskd.sock')
  const answers = new Map<string, Reply | ((seen: Seen) => Reply)>()
  const stub: AdminStub = {
    socket,
    directory,
    seen: [],
    companies: [],
    devices: [],
    certificates: [],
    keys: [],
    status: {},
    wholeStatus: () => ({ ...healthy(stub), ...stub.status }),
    answer: (route, reply) => void answers.set(route, reply),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true })
    },
  }
  const trusted = new Map<string, Record<string, unknown>[]>()
  const server = createServer(async (request, response) => {
    const seen = await receive(request)
    stub.seen.push(seen)
    const route = `${seen.method} ${seen.path.replace(/(companies|devices|invoices)\/[^/]+/, '$1/*')}`
    const special = answers.get(route)
    const reply = special
      ? typeof special === 'function'
        ? special(seen)
        : special
      : ordinary(route, seen, stub, trusted)
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return stub
}

async function receive(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const contentType = request.headers['content-type']
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    contentType: contentType?.split(';')[0],
    body: bytes.length === 0 ? undefined : await bodyOf(bytes, contentType ?? ''),
  }
}

async function bodyOf(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  if (!contentType.startsWith('multipart/')) return JSON.parse(bytes.toString('utf8'))
  const parts: Record<string, unknown> = {}
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  for (const [name, part] of form) {
    parts[name] = typeof part === 'string' ? part : { name: part.name, bytes: Buffer.from(await part.arrayBuffer()) }
  }
  return parts
}

function ordinary(route: string, seen: Seen, stub: AdminStub, trusted: Map<string, Record<string, unknown>[]>): Reply {
  const body = seen.body ?? {}
  switch (route) {
    case 'GET /admin/status':
      return { status: 200, body: stub.wholeStatus() }
    case 'POST /v1/companies':
      return addCompany(stub, body)
    case 'POST /v1/devices':
      return addDevice(stub, body)
    case 'GET /admin/devices':
      return list(stub.devices.filter(({ id, label }) => id === seen.query.ref || label === seen.query.ref))
    case 'PATCH /v1/devices/*':
      return patchDevice(stub, seen.path.split('/').at(-1), body)
    case 'POST /v1/certificates':
      return addCertificate(stub, body)
    case 'POST /admin/certificates/check':
      return checkCertificate(stub, body)
    case 'GET /v1/certificates':
      return list(stub.certificates.filter(({ company_id }) => company_id === seen.query.company_id))
    case 'GET /v1/companies':
      return list(stub.companies)
    case 'GET /v1/devices':
      return list(stub.devices.filter((device) => isWanted(device, seen.query)))
    case 'PATCH /v1/companies/*':
      return patchCompany(stub, seen.path.split('/').at(-1), body)
    case 'POST /admin/keys':
      return addKey(stub, body)
    case 'GET /admin/keys':
      return list(stub.keys)
    case 'GET /admin/printers':
      return { status: 200, body: { ...(list([]).body as object), found: [], unusable: [] } }
    case 'GET /admin/trust':
      return list(MODES.flatMap((mode) => TRUST_LISTS.map((one) => bundle(mode, one, trusted))))
    case 'POST /admin/trust':
    case 'POST /admin/trust/fetch':
      return trust(String(body.mode), String(body.for ?? 'base'), trusted)
    case 'POST /admin/trust/remove':
      return distrust(String(body.mode), String(body.for), trusted)
    default:
      return refusal(404, 'invalid_request', `no such route: ${route}`)
  }
}

const MADE_AT = '2026-07-20T08:00:00.000Z'

export const A_KEY = {
  id: '4b6c7ad2-9a3f-4d6e-8f77-0d0c9a1b2c3d',
  key: 'fisk_test_9vK2mQ7xT4bN8wR1cJ6yH3zL5pD0sFgA',
  scopes: ['invoices:write', 'invoices:read'],
}

function list(data: unknown[]): Reply {
  return { status: 200, body: { object: 'list', data, has_more: false, next_cursor: null } }
}

function isWanted(device: Record<string, unknown>, query: Seen['query']): boolean {
  const asked = ['isu_status', 'company_id', 'premises_code'].filter((name) => query[name] !== undefined)
  return asked.every((name) => device[name] === query[name])
}

function addKey(stub: AdminStub, body: Record<string, unknown>): Reply {
  const key = { ...A_KEY, mode: body.mode, scopes: body.scopes ?? A_KEY.scopes }
  stub.keys.push({
    ...key,
    key: undefined,
    device_id: body.device_id ?? null,
    name: body.name ?? null,
    created_at: MADE_AT,
    revoked_at: null,
  })
  return { status: 201, body: key }
}

function addCompany(stub: AdminStub, body: Record<string, unknown>): Reply {
  if (stub.companies.some(({ oib }) => oib === body.oib)) {
    return refusal(409, 'invalid_request', 'A company with this OIB exists already.', 'oib')
  }
  const company = {
    ...{ ...COMPANY, id: companyIdOf(String(body.oib)) },
    ...body,
    certificate_days_left: null,
  }
  stub.companies.push(company)
  return { status: 201, body: company }
}

function addDevice(stub: AdminStub, body: Record<string, unknown>): Reply {
  if (stub.devices.some(({ label, company_id }) => label === body.label && company_id === body.company_id)) {
    return refusal(409, 'invalid_request', 'The company has a device with this label already.', 'label')
  }
  const device = {
    id: randomUUID(),
    premises_address: null,
    isu_number: null,
    device_config: {},
    ...body,
    status: 'active',
    ...{ installed_at: MADE_AT, last_seen_at: null, last_success_at: null, created_at: MADE_AT },
  }
  const whole = { ...device, isu_status: device.isu_number === null ? 'pending' : 'assigned' }
  stub.devices.push(whole)
  return { status: 201, body: whole }
}

function patchCompany(stub: AdminStub, id: string | undefined, body: Record<string, unknown>): Reply {
  const company = stub.companies.find((candidate) => candidate.id === id)
  if (!company) return refusal(404, 'invalid_request', 'No such company.', 'id')
  return { status: 200, body: Object.assign(company, body) }
}

function patchDevice(stub: AdminStub, id: string | undefined, body: Record<string, unknown>): Reply {
  const device = stub.devices.find((candidate) => candidate.id === id)
  if (!device) return refusal(404, 'invalid_request', 'No such device.', 'id')
  Object.assign(device, body)
  device.isu_status = device.isu_number === null ? 'pending' : 'assigned'
  return { status: 200, body: device }
}

function addCertificate(stub: AdminStub, body: Record<string, unknown>): Reply {
  const company = stub.companies.find(({ id }) => id === body.company_id)
  if (!company) return refusal(404, 'invalid_request', 'No such company.', 'company_id')
  Object.assign(company, { certificate_status: 'valid', certificate_days_left: 729 })
  const certificate = {
    ...{ ...CERTIFICATE, id: randomUUID() },
    ...{ company_id: body.company_id, label: body.label ?? null, subject_oib: company.oib },
    file: (body.file as { name: string }).name,
  }
  stub.certificates.unshift(certificate)
  return { status: 201, body: certificate }
}

/** The one in use is known by the name of its file. */
function checkCertificate(stub: AdminStub, { company_id, file }: Record<string, unknown>): Reply {
  const [current] = stub.certificates.filter((one) => one.company_id === company_id)
  return { status: 200, body: { in_use: current?.file === (file as { name: string }).name } }
}

type Trusted = Map<string, Record<string, unknown>[]>

function bundle(mode: string, which: string, trusted: Trusted) {
  const name = which === 'base' ? mode : `${mode}-${which}`
  const certificates = trusted.get(name) ?? []
  return {
    mode,
    list: which,
    path: `/var/lib/fiskd/trust/${name}.pem`,
    given: false,
    certificates,
    revocation_lists: [],
  }
}

function distrust(mode: string, purpose: string, trusted: Trusted): Reply {
  trusted.delete(`${mode}-${purpose}`)
  return { status: 200, body: bundle(mode, purpose, trusted) }
}

function trust(mode: string, which: string, trusted: Trusted): Reply {
  const name = which === 'base' ? mode : `${mode}-${which}`
  const before = trusted.get(name) ?? []
  const added = {
    subject: `CN=Root ${before.length + 1},C=HR`,
    fingerprint: 'A0'.repeat(32),
    not_after: '2034-06-01T10:00:00Z',
  }
  trusted.set(name, [...before, added])
  return { status: 200, body: { ...bundle(mode, which, trusted), added: [added], added_revocation_lists: [] } }
}

function healthy(stub: AdminStub) {
  return {
    can_sell: true,
    problems: [],
    version: '1.0.0',
    role: 'gateway',
    listen: [{ address: '127.0.0.1:8443', problem: null }],
    uptime_s: 273_900,
    checked_at: '2026-07-21T12:00:00.000Z',
    companies: stub.companies,
    devices: { total: stub.devices.length, without_isu: 0, able_to_sell: stub.devices.length },
    queue: {
      ...{ pending: 0, retrying: 0, failed: 0, expired: 0 },
      ...{ oldest_at: null, legal_deadline_at: null, next_deadline_at: null },
    },
    parked: { count: 0, may_send: false },
    last_jir_at: null,
    cis: {
      reachable: true,
      latency_ms: 132,
      endpoint: 'https://cistest.apis-it.hr:8449/FiskalizacijaServiceTest',
      mode: 'test',
      checked_at: '2026-07-21T11:59:50.000Z',
      age_s: 10,
      detail: null,
    },
    clock: {
      status: 'ok',
      trusted: true,
      synchronised: true,
      offset_ms: 0,
      newest_known_at: '2026-07-21T11:59:30.000Z',
      detail: null,
    },
    disk: { free_bytes: 12_345_678_901, left_out: [] },
    printers: [],
    sync: null,
    ca: { file: '/var/lib/fiskd-ca/ca.pem', sha256: Array(32).fill('AB').join(':') },
    backup: { last_at: '2026-07-21T01:00:00.000Z', elsewhere: false },
    processes: [],
  }
}

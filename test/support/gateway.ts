import { readFileSync, rmSync } from 'node:fs'
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/daemon/config.ts'
import type { Machine } from '../../src/daemon/host/machine.ts'
import { type Daemon, startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../src/daemon/lifecycle/log.ts'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { type Answer, type Call, call } from './call.ts'
import { atTheEndOfFile } from './file-end.ts'
import { healthyMachine } from './machine.ts'
import { certificateOf, OIBS, pki } from './pki.ts'
import { onPostgres, postgresDatabase, query } from './postgres.ts'
import { EMPTY_DATABASE } from './programs.ts'
import { makeTempDir } from './temp-dir.ts'

/** An invoice as any endpoint shows it. */
export interface InvoiceBody {
  id: string
  status: string
  jir: string | null
  zki: string
  qr_payload: string
  number: string
  total: string
  occurred_at: string
  receipt_url?: string
  attempts: number
  late_delivery: boolean
  fiscal_error?: { code: string; message: string; retry_scheduled: boolean }
  messages: { message_uuid: string; attempt_no: number; request_xml: string; response_xml: string | null }[]
  error: { type: string; code: string; message: string; param: string | null; doc_url: string; upstream: unknown }
}

export interface Gateway {
  cis: Simulator
  dataDir: string
  /** Where its database is: a path, or the address of a PostgreSQL database. */
  database: string
  socketPath: string
  deviceId: string
  companyId: string
  /** A firmware key of the test mode. */
  key: string
  url: string
  /** Where it shows receipts to customers; empty where it does not. */
  receiptsUrl: string
  /** Time as the gateway sees it. */
  clock: {
    /** Milliseconds that have passed for the gateway and not in truth; the tax authority's clock stays behind. */
    aheadMs: number
    /** Milliseconds by which somebody has set its clock forward, without any time passing. */
    setMs: number
    /** What the operating system says of its clock. */
    synchronised: boolean | null
  }
  /** Has time pass that nobody waits for: by its own clock, and of its database for the idempotency keys. */
  pass(ms: number): Promise<void>
  /** Over TLS with the firmware key. */
  v1(path: string, options?: Omit<Call, 'path'>): Promise<Answer<InvoiceBody>>
  /** Over the admin socket. */
  admin<T = Record<string, string>>(path: string, options?: Omit<Call, 'path'>): Promise<Answer<T>>
  /** Posts a sale; a key of its own unless one is given. */
  post(sale?: object, idempotencyKey?: string): Promise<Answer<InvoiceBody>>
  /** Posts a sale that must be answered with 200. */
  sell(sale?: object): Promise<InvoiceBody>
  invoice(id: string): Promise<InvoiceBody>
  sweep(): Promise<void>
  /** What the gateway does each minute about alerts. */
  watch(): Promise<void>
  /** What the gateway does each minute about its clock. */
  checkClock(): Promise<void>
  /** A sale's body; what is given replaces the defaults. */
  sale(changes?: object): Record<string, unknown>
  addDevice(device?: object): Promise<string>
  createKey(key?: object): Promise<string>
  /** What the doctor finds of its machine, as a test may change it. */
  machine: Machine
  stop(): Promise<void>
  /** Stops the daemon and starts it again on the same data. */
  restart(): Promise<void>
}

let keys = 0

/**
 * A simulated tax authority and a real daemon on loopback, with a company, its certificate, a device and a key, the way
 * a technician would set them up. All of it ends with the test.
 * @param logTo where the daemon's log goes, if `FISKD_LOG_LEVEL` wants one
 */
export async function startGateway(env: Record<string, string> = {}, logTo?: DestinationStream): Promise<Gateway> {
  return setUp(env, onTestFinished, logTo)
}

/** The same without company, certificate, device and key: as it is after the first start. */
export function startEmptyGateway(env: Record<string, string> = {}, logTo?: DestinationStream): Promise<Gateway> {
  return start(env, onTestFinished, logTo)
}

/** The same as an empty one, on a machine whose clock nobody has set, and which reaches no authority to ask. */
export function startUnproven(env: Record<string, string>): Promise<Gateway> {
  return start({ FISKD_CIS_TEST_URL: 'https://127.0.0.1:1/', ...env }, onTestFinished, undefined, null)
}

/** The same as an empty one for a whole test file; call it in `beforeAll`. */
export function startEmptySharedGateway(env: Record<string, string> = {}): Promise<Gateway> {
  return start(env, atTheEndOfFile)
}

/** The same for a whole test file, for tests that do not get into each other's way; call it in `beforeAll`. */
export async function startSharedGateway(env: Record<string, string> = {}): Promise<Gateway> {
  return setUp(env, atTheEndOfFile)
}

type AtTheEnd = (close: () => Promise<void>) => void

async function start(
  env: Record<string, string>,
  atTheEnd: AtTheEnd,
  logTo?: DestinationStream,
  synchronised: boolean | null = true,
  from?: string,
): Promise<Gateway> {
  const dataDir = env.FISKD_DATA_DIR ?? (await makeTempDir(atTheEnd))
  const cis = await startSimulator({ pki })
  atTheEnd(() => cis.close())
  const isServer = onPostgres && env.FISKD_ROLE !== 'gateway'
  const database = env.FISKD_DATABASE_URL ?? (isServer ? await postgresDatabase({ atTheEnd }) : undefined)
  if (from) await cp(from, dataDir, { recursive: true })
  else if (!database && !env.FISKD_DATA_DIR) await copyFile(EMPTY_DATABASE, join(dataDir, 'fiskd.db'))
  await mkdir(join(dataDir, 'trust'), { recursive: true })
  await writeFile(join(dataDir, 'trust', 'test.pem'), pki.bundlePem)
  const config = readConfig({
    FISKD_DATA_DIR: dataDir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_CIS_TEST_URL: cis.url,
    // No test ever speaks to the real service.
    FISKD_CIS_LIVE_URL: cis.url,
    FISKD_LOG_LEVEL: 'silent',
    ...(database && { FISKD_ROLE: 'server', FISKD_DATABASE_URL: database }),
    ...env,
  })
  const clock: Gateway['clock'] = { aheadMs: 0, setMs: 0, synchronised }
  const machine = healthyMachine()
  const log = createLog(config.logLevel, logTo)
  const startIt = () =>
    startDaemon(
      config,
      log,
      {
        now: () => Date.now() + clock.aheadMs + clock.setMs,
        elapsed: () => performance.now() + clock.aheadMs,
        synchronised: async () => clock.synchronised,
      },
      machine,
    )
  let daemon: Daemon | undefined = await startIt()
  const stop = async () => {
    await daemon?.close()
    daemon = undefined
  }
  atTheEnd(stop)

  const gateway: Gateway = {
    cis,
    dataDir,
    database: config.databaseUrl ?? join(dataDir, 'fiskd.db'),
    socketPath: config.socketPath,
    clock,
    machine,
    deviceId: '',
    companyId: companyIdOf(OIBS[0]),
    key: '',
    get url() {
      return daemon?.urls[0] ?? ''
    },
    get receiptsUrl() {
      return daemon?.receiptUrls[0] ?? ''
    },
    v1(path, options) {
      const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8')
      const headers = { authorization: `Bearer ${gateway.key}`, ...options?.headers }
      return call({ base: gateway.url, ca }, { ...options, path: `/v1${path}`, headers })
    },
    admin: (path, options) => call({ socketPath: config.socketPath }, { ...options, path }),
    post: (sale, idempotencyKey = `key-${process.pid}-${keys++}`) =>
      gateway.v1('/invoices', { body: gateway.sale(sale), headers: { 'idempotency-key': idempotencyKey } }),
    async sell(sale) {
      const answer = await gateway.post(sale)
      if (answer.status !== 200) throw new Error(`the sale was refused: ${answer.text}`)
      return answer.body
    },
    invoice: async (id) => (await gateway.v1(`/invoices/${id}?include_messages=true`)).body,
    sweep: async () => daemon?.sweep(),
    watch: async () => daemon?.watch(),
    checkClock: async () => daemon?.checkClock(),
    async pass(ms) {
      clock.aheadMs += ms
      if (config.databaseUrl)
        await query(config.databaseUrl, `UPDATE idempotency_keys SET created_at = created_at - ${ms}`)
    },
    sale: (changes) => ({
      device_id: gateway.deviceId,
      occurred_at: new Date(Date.now() + clock.aheadMs - 1000).toISOString(),
      total: '2.50',
      payment_method: 'G',
      ...changes,
    }),
    async addDevice(device) {
      const body = { company_id: gateway.companyId, premises_code: 'POSL1', label: `machine ${keys++}`, ...device }
      return String((await gateway.admin('/v1/devices', { body })).body.id)
    },
    async createKey(key) {
      return String((await gateway.admin('/admin/keys', { body: { mode: 'test', ...key } })).body.key)
    },
    stop,
    async restart() {
      await stop()
      daemon = await startIt()
    },
  }
  return gateway
}

/** With one of these the data stand elsewhere, or are judged otherwise. */
const OWN_DATA = ['FISKD_DATA_DIR', 'FISKD_DATABASE_URL', 'FISKD_ROLE', 'FISKD_TRUST_TEST', 'FISKD_TRUST_LIVE']

async function setUp(env: Record<string, string>, atTheEnd: AtTheEnd, logTo?: DestinationStream): Promise<Gateway> {
  // Two copies side by side would tell a server of one certificate twice.
  const isCopy = !onPostgres && copies === 0 && OWN_DATA.every((name) => env[name] === undefined)
  if (isCopy) {
    copies++
    atTheEnd(async () => void copies--)
  }
  const gateway = await start(env, atTheEnd, logTo, true, isCopy ? await withCompany() : undefined)
  if (!isCopy) await addCompany(gateway, OIBS[0])
  gateway.deviceId = await gateway.addDevice({ label: 'machine', isu_number: '101' })
  gateway.key = await gateway.createKey()
  return gateway
}

let copies = 0

let companyDir: Promise<string> | undefined

/**
 * The data of a stopped gateway that has a company with its certificate, made once for all tests of a worker: opening a
 * PKCS#12 file and judging its chain take half of the time in which a test's gateway is set up.
 */
function withCompany(): Promise<string> {
  companyDir ??= (async () => {
    const dir = await makeTempDir(() => process.once('exit', () => rmSync(dir, { recursive: true })))
    await copyFile(EMPTY_DATABASE, join(dir, 'fiskd.db'))
    const closing: (() => Promise<void>)[] = []
    await addCompany(await start({ FISKD_DATA_DIR: dir }, (close) => closing.unshift(close)), OIBS[0])
    for (const close of closing) await close()
    return dir
  })()
  return companyDir
}

/** Makes a company with its certificate. @returns its id */
export async function addCompany(gateway: Gateway, oib: string, company: object = {}): Promise<string> {
  const made = await gateway.admin('/v1/companies', { body: { name: 'Samoposluga d.o.o.', oib, ...company } })
  if (made.status !== 201) throw new Error(made.text)
  const id = String(made.body.id)
  const uploaded = await uploadCertificate(gateway, id, await certificateOf(oib))
  if (uploaded.status !== 201) throw new Error(uploaded.text)
  return id
}

/** Posts a PKCS#12 file over the admin socket. */
export function uploadCertificate(
  gateway: Pick<Gateway, 'admin'>,
  companyId: string,
  { p12, passphrase }: { p12: Buffer; passphrase: string },
  parts: Record<string, string> = {},
): Promise<Answer<Record<string, string> & { error: InvoiceBody['error'] }>> {
  const form = new FormData()
  form.set('company_id', companyId)
  form.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
  form.set('passphrase', passphrase)
  for (const [name, value] of Object.entries(parts)) form.set(name, value)
  return gateway.admin('/v1/certificates', { body: form })
}

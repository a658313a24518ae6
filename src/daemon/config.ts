import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { attempt } from '../domain/attempt.ts'
import type { TrustList, TrustPurpose } from '../domain/certificate.ts'
import type { Mode } from '../domain/sale/sale.ts'
import { type Installation, SECRETS, trustFile, VARIABLE, type Values, type Variable } from './config/variables.ts'

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const INSTALLED_DATA_DIR = '/var/lib/fiskd'

export const VARIABLES: ReadonlySet<string> = new Set(Object.keys(VARIABLE))
const KNOWN = new Set([...VARIABLES, ...[...SECRETS].map((name) => `${name}_FILE`)])

/** @throws ConfigError with every problem */
export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readValues(env)
  const { FISKD_TLS_CERT: certPath, FISKD_TLS_KEY: keyPath } = values
  return {
    role: values.FISKD_ROLE,
    dataDir: values.FISKD_DATA_DIR,
    /** Vault key, local CA and trust bundles: of this process alone, or of all processes of a server on this machine. */
    sharedDir: values.FISKD_SHARED_DIR,
    /** How many processes the server is meant to have, on all machines; null where nobody says. */
    processes: values.FISKD_PROCESSES,
    /** What tells this machine from others in place of its board; null where nobody says. */
    machineId: values.FISKD_MACHINE_ID,
    /** `postgres://...` with its password; null for SQLite in the data directory. */
    databaseUrl: values.FISKD_DATABASE_URL,
    listen: values.FISKD_LISTEN,
    /** False when the addresses are the default, of which a host without IPv6 may lack one. */
    listenConfigured: Boolean(env.FISKD_LISTEN),
    socketPath: values.FISKD_SOCKET,
    /** Paths of the operator's own certificate; null for the local CA's. */
    tls: certPath && keyPath ? { certPath, keyPath } : null,
    /** Where every local user finds a copy of the local CA; null for nowhere. */
    caFile: values.FISKD_CA_FILE,
    /** Names of the server certificate of the local CA besides those of the listener: those of a load balancer. */
    tlsNames: values.FISKD_TLS_NAMES,
    /** Addresses of load balancers that may say by the PROXY protocol where a connection comes from. */
    proxies: values.FISKD_PROXIES,
    cisUrls: { test: values.FISKD_CIS_TEST_URL, live: values.FISKD_CIS_LIVE_URL },
    /** What the tax authority is reached through; null directly. */
    cisProxy: values.FISKD_CIS_PROXY,
    sha1Answers: values.FISKD_CIS_SHA1_ANSWERS,
    /** Who signs the answers of a mode; null for the names that are known. */
    serviceNames: values.FISKD_CIS_SIGNERS,
    trustPaths: { test: trustPaths('test', values), live: trustPaths('live', values) },
    /** Whether the operator has set the path of the base: fiskd does not write it then. */
    trustGiven: { test: Boolean(env[BASE.test]), live: Boolean(env[BASE.live]) },
    deploymentMode: values.FISKD_DEPLOYMENT_MODE,
    sweepIntervalMs: 1000 * values.FISKD_SWEEP_INTERVAL_S,
    /** Below this free space on the disk the daemon leaves out some writes; 0 turns this off. */
    diskFloorBytes: 1_000_000 * values.FISKD_DISK_FLOOR_MB,
    logLevel: values.FISKD_LOG_LEVEL,
    rateLimits: {
      enabled: values.RATE_LIMIT_ENABLED === 'true',
      perMinute: values.RATE_LIMIT_PER_MINUTE,
      perAddressPerMinute: values.RATE_LIMIT_IP_PER_MINUTE,
      signInsPer15Minutes: values.RATE_LIMIT_AUTH_PER_15MIN,
    },
    /** Where a server shows receipts to customers, `https://HOST`, and its own addresses for that; null for nowhere. */
    receipts:
      values.FISKD_RECEIPTS_URL && values.FISKD_RECEIPTS_LISTEN
        ? { base: values.FISKD_RECEIPTS_URL, listen: values.FISKD_RECEIPTS_LISTEN }
        : null,
    /** Base address of the central server; null for the one that was named when the gateway was enrolled. */
    syncUrl: values.FISKD_SYNC_URL,
    /** Kilobits per second that may be sent to it, on average; null without a limit. */
    syncMaxKbps: values.FISKD_SYNC_MAX_KBPS,
    /** Where alert mails are handed over; null without any. */
    smtp: values.FISKD_SMTP_URL,
    alerts: {
      /** Recipients of the alerts of the default tenant, in addition to its users, and the language of their mails. */
      addresses: values.FISKD_ALERT_TO,
      language: values.FISKD_ALERT_LANGUAGE,
      /** The sender of the mails; null for an address of this machine. */
      from: values.FISKD_ALERT_FROM,
    },
    /** Base address that people reach the dashboard at, without a slash at its end; null for this machine's name. */
    dashboardUrl: values.FISKD_DASHBOARD_URL,
    /** Base address of the error pages, without a slash at its end; null for the daemon's own. */
    docsUrl: values.FISKD_DOCS_URL,
    /** Where systemd puts decrypted credentials, if it does. */
    credentialsDir: env.CREDENTIALS_DIRECTORY || null,
    /** Unknown variables with the prefixes of fiskd, probably misspelt. They have no effect, so fiskd reports them. */
    unknownVariables: Object.keys(env).filter((name) => /^(FISKD|RATE_LIMIT)_/.test(name) && !KNOWN.has(name)),
  }
}

const BASE = { test: 'FISKD_TRUST_TEST', live: 'FISKD_TRUST_LIVE' } as const

function trustPaths(mode: Mode, values: Values): Record<TrustList, string> {
  const added = (purpose: TrustPurpose) => trustFile(values.FISKD_SHARED_DIR, `${mode}-${purpose}`)
  return { base: values[BASE[mode]], service: added('service'), uploads: added('uploads') }
}

/** @throws ConfigError with every problem */
function readValues(env: NodeJS.ProcessEnv): Values {
  const isInstalled = !env.FISKD_DATA_DIR && existsSync(INSTALLED_DATA_DIR)
  const dataDir = resolve(env.FISKD_DATA_DIR || (isInstalled ? INSTALLED_DATA_DIR : 'data'))
  const installation = { isInstalled, dataDir, sharedDir: resolve(env.FISKD_SHARED_DIR || dataDir) }
  const read = Object.entries<Variable<unknown>>(VARIABLE).map(([name, variable]) => ({
    name,
    ...readOne(name, variable, env, installation),
  }))
  const values: Partial<Values> = Object.fromEntries(read.map(({ name, value }) => [name, value]))
  const problems = read.flatMap(({ problem }) => problem ?? [])
  problems.push(...problemsTogether(values))
  for (const name of values.FISKD_DATABASE_URL ? UNREAD.filter((one) => env[one]) : []) {
    problems.push(`${name} is set, and fiskd does not read it: say it in FISKD_DATABASE_URL`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  // What has no problem has its value.
  return values as Values
}

/** Who sets what protects a connection believes that it does. */
const UNREAD = ['PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY', 'PGTARGETSESSIONATTRS']

function readOne(
  name: string,
  { fallback, parse, wanted, shown }: Variable<unknown>,
  env: NodeJS.ProcessEnv,
  installation: Installation,
) {
  const path = SECRETS.has(name) && env[`${name}_FILE`]
  if (path && env[name]) return { problem: `${name} and ${name}_FILE are both set: set one of them` }
  const given = path ? attempt(() => readFileSync(path, 'utf8').trim(), '') : env[name]
  if (path && !given) {
    return { problem: `${name}_FILE is "${path}": use a file that holds the value and that the user of fiskd may read` }
  }
  const text = given || (typeof fallback === 'function' ? fallback(installation) : fallback)
  if (text === null) return { value: null }
  const value = parse(text)
  if (value !== undefined) return { value }
  const said = shown(text)
  const why = typeof wanted === 'string' ? wanted : wanted(text)
  return { problem: `${name} is ${said === null ? 'not understood' : `"${said}"`}: ${why}` }
}

function problemsTogether(values: Partial<Values>): string[] {
  const { FISKD_TLS_CERT: cert, FISKD_TLS_KEY: key, FISKD_ROLE: role, FISKD_DATABASE_URL: url } = values
  const problems: string[] = []
  if (Boolean(cert) !== Boolean(key)) {
    problems.push('FISKD_TLS_CERT and FISKD_TLS_KEY go together: set both or neither')
  }
  const { FISKD_RECEIPTS_URL: receipts, FISKD_RECEIPTS_LISTEN: receiptsListen } = values
  if (Boolean(receipts) !== Boolean(receiptsListen)) {
    problems.push('FISKD_RECEIPTS_URL and FISKD_RECEIPTS_LISTEN go together: set both or neither')
  } else if (receipts && role !== 'server') {
    problems.push(
      'FISKD_RECEIPTS_URL is for a central server, which tells it to its gateways: set it with FISKD_ROLE=server',
    )
  }
  if (url && role !== 'server') {
    const wanted = 'a gateway keeps its sales in SQLite; use it with FISKD_ROLE=server'
    problems.push(`FISKD_DATABASE_URL is "${VARIABLE.FISKD_DATABASE_URL.shown(url)}": ${wanted}`)
  }
  if (resolve(values.FISKD_SHARED_DIR ?? '') !== resolve(values.FISKD_DATA_DIR ?? '') && !url) {
    problems.push('FISKD_SHARED_DIR is for the processes of a server on PostgreSQL: set FISKD_DATABASE_URL, too')
  }
  return problems
}

import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseSmtpUrl, type SmtpServer } from '../alerts/smtp-url.ts'
import type { RateLimits } from '../api/rate-limits.ts'
import { OFFICIAL_URLS } from '../cis/addresses.ts'
import type { Sha1Answers } from '../cis/answer/verify-answer.ts'
import { type HttpProxy, parseProxy } from '../cis/transport/proxy.ts'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
import type { Mode } from '../domain/sale/sale.ts'
import { LANGUAGES, type Language } from '../fiscal/ports/model.ts'
import { describePostgresUrl, isPostgresUrl, parsePostgresUrl } from '../store/database-url.ts'
import { MAX_SOCKET_PATH_BYTES } from './http/socket-path.ts'

export interface ListenAddress {
  host: string
  port: number
}

/** Everything the environment decides, checked and complete. */
export interface Config {
  role: 'gateway' | 'server'
  dataDir: string
  /** `postgres://...` with its password; null for SQLite in the data directory. */
  databaseUrl: string | null
  listen: ListenAddress[]
  /** False when the addresses are the default, of which a host without IPv6 may lack one. */
  listenConfigured: boolean
  socketPath: string
  /** Paths of the operator's own certificate; null for the local CA's. */
  tls: { certPath: string; keyPath: string } | null
  cisUrls: Record<Mode, string>
  /** What the tax authority is reached through; null directly. */
  cisProxy: HttpProxy | null
  /** Whether answers that are signed with SHA-1 are believed. */
  sha1Answers: Sha1Answers
  trustPaths: Record<Mode, string>
  deploymentMode: Mode
  sweepIntervalMs: number
  /** Below so much free space on the disk something is left out; 0 never. */
  diskFloorBytes: number
  logLevel: string
  rateLimits: RateLimits
  /** Base address of the central server; null for the one that was named when the gateway was enrolled. */
  syncUrl: string | null
  /** Kilobits per second that may be sent to it, on average; null without a limit. */
  syncMaxKbps: number | null
  /** Where alert mails are handed over; null without any. */
  smtp: SmtpServer | null
  alerts: {
    /** Who is told of the alerts of the default tenant beside its users, and in which language. */
    addresses: string[]
    language: Language
    /** Whom the mails come from; null for an address of this machine. */
    from: string | null
  }
  /** Base address that people reach the dashboard at, without a slash at its end; null for this machine's name. */
  dashboardUrl: string | null
  /** Base address of the error pages, without a slash at its end; null for the daemon's own. */
  docsUrl: string | null
  /** Where systemd puts decrypted credentials, if it does. */
  credentialsDir: string | null
  /** Variables that look like ours and are not: misspelt ones have no effect, which somebody should know. */
  unknownVariables: string[]
}

/** All that is wrong with the environment, by name and value, at once. */
export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const INSTALLED_DATA_DIR = '/var/lib/fiskd'
const INSTALLED_SOCKET = '/run/fiskd/fiskd.sock'
const DEFAULT_LISTEN = '127.0.0.1:8443,[::1]:8443'

export const VARIABLES = new Set([
  'FISKD_ROLE',
  'FISKD_DATA_DIR',
  'FISKD_DATABASE_URL',
  'FISKD_LISTEN',
  'FISKD_SOCKET',
  'FISKD_TLS_CERT',
  'FISKD_TLS_KEY',
  'FISKD_CIS_TEST_URL',
  'FISKD_CIS_LIVE_URL',
  'FISKD_CIS_PROXY',
  'FISKD_CIS_SHA1_ANSWERS',
  'FISKD_TRUST_TEST',
  'FISKD_TRUST_LIVE',
  'FISKD_DEPLOYMENT_MODE',
  'FISKD_SWEEP_INTERVAL_S',
  'FISKD_DISK_FLOOR_MB',
  'FISKD_LOG_LEVEL',
  'FISKD_DOCS_URL',
  'FISKD_SMTP_URL',
  'FISKD_ALERT_TO',
  'FISKD_ALERT_FROM',
  'FISKD_ALERT_LANGUAGE',
  'FISKD_DASHBOARD_URL',
  'FISKD_SYNC_URL',
  'FISKD_SYNC_MAX_KBPS',
  'RATE_LIMIT_ENABLED',
  'RATE_LIMIT_PER_MINUTE',
  'RATE_LIMIT_IP_PER_MINUTE',
  'RATE_LIMIT_AUTH_PER_15MIN',
])

/**
 * Reads the configuration from environment variables.
 * @throws ConfigError with every problem
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const value = (name: string, fallback: string) => env[name] || fallback
  const check = <T>(name: string, text: string, parsed: T | undefined, wanted: string): T | undefined => {
    if (parsed === undefined) problems.push(`${name} is "${text}": ${wanted}`)
    return parsed
  }
  const oneOf = <T extends string>(name: string, fallback: T, allowed: readonly T[]): T => {
    const text = value(name, fallback)
    const found = allowed.find((item) => item === text)
    return check(name, text, found, `use ${allowed.join(' or ')}`) ?? fallback
  }
  const httpsUrl = (name: string, fallback: string): string => {
    const text = value(name, fallback)
    const url = URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined
    return check(name, text, url, 'use an https:// address') ?? fallback
  }

  const installed = !env.FISKD_DATA_DIR && existsSync(INSTALLED_DATA_DIR)
  const dataDir = resolve(value('FISKD_DATA_DIR', installed ? INSTALLED_DATA_DIR : 'data'))
  const listenText = value('FISKD_LISTEN', DEFAULT_LISTEN)
  const sweepText = value('FISKD_SWEEP_INTERVAL_S', '300')
  const floorText = value('FISKD_DISK_FLOOR_MB', '100')
  const floorMb = /^\d{1,6}$/.test(floorText) ? Number(floorText) : undefined
  const { FISKD_TLS_CERT: certPath, FISKD_TLS_KEY: keyPath } = env
  if (Boolean(certPath) !== Boolean(keyPath)) {
    problems.push('FISKD_TLS_CERT and FISKD_TLS_KEY go together: set both or neither')
  }
  const socketPath = resolve(value('FISKD_SOCKET', installed ? INSTALLED_SOCKET : join(dataDir, 'fiskd.sock')))
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    problems.push(`FISKD_SOCKET is "${socketPath}": use a path of at most ${MAX_SOCKET_PATH_BYTES} bytes`)
  }
  const perWindow = (name: string, fallback: string): number => {
    const text = value(name, fallback)
    const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
    return check(name, text, count, 'use a number of requests, 1 or more') ?? 0
  }
  const role = oneOf('FISKD_ROLE', 'gateway', ['gateway', 'server'])
  const databaseUrl = env.FISKD_DATABASE_URL || null
  if (databaseUrl !== null) problems.push(...databaseProblems(databaseUrl, role))
  const kbpsText = env.FISKD_SYNC_MAX_KBPS || ''
  const kbps = /^[1-9]\d{0,6}$/.test(kbpsText) ? Number(kbpsText) : undefined
  const smtp = env.FISKD_SMTP_URL ? parseSmtpUrl(env.FISKD_SMTP_URL) : undefined
  if (env.FISKD_SMTP_URL && !smtp) {
    // What is wrong with it may be its password.
    problems.push('FISKD_SMTP_URL is not understood: use smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT')
  }
  const cisProxy = env.FISKD_CIS_PROXY ? parseProxy(env.FISKD_CIS_PROXY) : undefined
  if (env.FISKD_CIS_PROXY && !cisProxy) {
    // It may hold a password.
    problems.push('FISKD_CIS_PROXY is not understood: use http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT')
  }
  const toText = env.FISKD_ALERT_TO || ''
  const addresses = toText.split(',').flatMap((address) => address.trim() || [])
  const fromText = env.FISKD_ALERT_FROM || ''
  const docsUrl = env.FISKD_DOCS_URL ? httpsUrl('FISKD_DOCS_URL', '').replace(/\/+$/, '') : null
  const config: Config = {
    role,
    dataDir,
    databaseUrl,
    listen: check('FISKD_LISTEN', listenText, parseListen(listenText), 'use host:port, several with commas') ?? [],
    listenConfigured: Boolean(env.FISKD_LISTEN),
    socketPath,
    tls: certPath && keyPath ? { certPath, keyPath } : null,
    cisUrls: {
      test: httpsUrl('FISKD_CIS_TEST_URL', OFFICIAL_URLS.test),
      live: httpsUrl('FISKD_CIS_LIVE_URL', OFFICIAL_URLS.live),
    },
    cisProxy: cisProxy ?? null,
    sha1Answers: oneOf('FISKD_CIS_SHA1_ANSWERS', 'accept', ['accept', 'refuse']),
    trustPaths: {
      test: resolve(value('FISKD_TRUST_TEST', join(dataDir, 'trust', 'test.pem'))),
      live: resolve(value('FISKD_TRUST_LIVE', join(dataDir, 'trust', 'live.pem'))),
    },
    deploymentMode: oneOf('FISKD_DEPLOYMENT_MODE', 'test', ['test', 'live']),
    sweepIntervalMs:
      1000 * (check('FISKD_SWEEP_INTERVAL_S', sweepText, parseSeconds(sweepText), 'use 1 to 86400 seconds') ?? 0),
    diskFloorBytes: 1_000_000 * (check('FISKD_DISK_FLOOR_MB', floorText, floorMb, 'use 0 to 999999 megabytes') ?? 0),
    logLevel: oneOf('FISKD_LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    rateLimits: {
      enabled: oneOf('RATE_LIMIT_ENABLED', 'true', ['true', 'false']) === 'true',
      perMinute: perWindow('RATE_LIMIT_PER_MINUTE', String(API_BOUNDS.requests.most)),
      perAddressPerMinute: perWindow('RATE_LIMIT_IP_PER_MINUTE', String(API_BOUNDS.requestsOfAddress.most)),
      signInsPer15Minutes: perWindow('RATE_LIMIT_AUTH_PER_15MIN', String(API_BOUNDS.signIns.most)),
    },
    syncUrl: env.FISKD_SYNC_URL ? httpsUrl('FISKD_SYNC_URL', '').replace(/\/+$/, '') : null,
    syncMaxKbps:
      kbpsText === ''
        ? null
        : (check('FISKD_SYNC_MAX_KBPS', kbpsText, kbps, 'use 1 to 9999999 kilobits per second') ?? null),
    smtp: smtp ?? null,
    alerts: {
      addresses:
        check('FISKD_ALERT_TO', toText, addresses.every(isMailAddress) ? addresses : undefined, MAIL_ADDRESSES) ?? [],
      language: oneOf('FISKD_ALERT_LANGUAGE', 'hr', LANGUAGES),
      from: fromText === '' ? null : (check('FISKD_ALERT_FROM', fromText, senderOf(fromText), SENDER) ?? null),
    },
    dashboardUrl: env.FISKD_DASHBOARD_URL
      ? httpsUrl('FISKD_DASHBOARD_URL', '')
          .replace(/\/+$/, '')
          .replace(/\/dashboard$/, '')
      : null,
    docsUrl,
    credentialsDir: env.CREDENTIALS_DIRECTORY || null,
    unknownVariables: Object.keys(env).filter((name) => /^(FISKD|RATE_LIMIT)_/.test(name) && !VARIABLES.has(name)),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Its password is never shown. */
function databaseProblems(url: string, role: Config['role']): string[] {
  const shown = isPostgresUrl(url) ? describePostgresUrl(url) : `${/^[\w+.-]{1,20}(?=:)/.exec(url)?.[0] ?? ''}...`
  const problem = (wanted: string) => [`FISKD_DATABASE_URL is "${shown}": ${wanted}`]
  if ((parsePostgresUrl(url)?.pathname.length ?? 0) < 2) {
    return problem('use postgres://USER:PASSWORD@HOST/DATABASE, or postgres://USER@/DATABASE?host=/run/postgresql')
  }
  return role === 'server' ? [] : problem('a gateway keeps its sales in SQLite; use it with FISKD_ROLE=server')
}

const MAIL_ADDRESSES = 'use mail addresses, several with commas'
const SENDER = 'use an address such as fiskd@example.hr, or Name <fiskd@example.hr>'

function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>(),:;"\\]+@[^\s@<>(),:;"\\]+$/.test(text)
}

/** An address, with or without a name before it. */
function senderOf(text: string): string | undefined {
  const address = /^[^<>\r\n"]{0,100}<([^<>]+)>$/.exec(text)?.[1] ?? text
  return isMailAddress(address) ? text : undefined
}

function parseSeconds(text: string): number | undefined {
  const seconds = Number(text)
  return /^\d+$/.test(text) && seconds >= 1 && seconds <= 86_400 ? seconds : undefined
}

/** `127.0.0.1:8443,[::1]:8443`; a host is an address or a name, port 0 any free one. */
function parseListen(text: string): ListenAddress[] | undefined {
  const addresses = text.split(',').map((part) => {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(part.trim())
    const host = match?.[1] ?? match?.[2]
    const port = Number(match?.[3])
    if (host === undefined || port > 65_535 || (match?.[1] !== undefined && isIP(match[1]) !== 6)) return undefined
    return { host, port }
  })
  return addresses.every((address) => address !== undefined) ? addresses : undefined
}

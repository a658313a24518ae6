import { join, resolve } from 'node:path'
import { parseSmtpUrl } from '../../alerts/smtp-url.ts'
import { parseServiceNames } from '../../cis/answer/service-names.ts'
import type { Sha1Answers } from '../../cis/answer/verify-answer.ts'
import { OFFICIAL_URLS } from '../../cis/service-windows.ts'
import { parseProxy } from '../../cis/transport/proxy.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { describeDatabaseUrl, readDatabaseUrl } from '../../domain/database-url.ts'
import { LANGUAGES } from '../../fiscal/ports/model.ts'
import { MOST_BASE_CHARACTERS } from '../../fiscal/receipt-links/link.ts'
import { MAX_SOCKET_PATH_BYTES } from '../http/socket-path.ts'
import * as parse from './parsers.ts'

export interface Installation {
  /** True when the package installed it and FISKD_DATA_DIR is not set. */
  isInstalled: boolean
  dataDir: string
  /** The data directory, unless FISKD_SHARED_DIR is set. */
  sharedDir: string
}

export interface Variable<T> {
  /** What is read where the variable is not set; null: its value is null then. */
  fallback: string | null | ((installation: Installation) => string)
  /** @returns undefined for what it cannot be */
  parse: (text: string) => T | undefined
  /** What it can be, for people, and what is wrong with it where that is known. */
  wanted: string | ((text: string) => string)
  /** The value as a problem shows it; null where it may hold a password. */
  shown: (text: string) => string | null
}

const asItIs = (text: string) => text
const hidden = () => null

function variable<T>(
  fallback: string | ((installation: Installation) => string),
  parse: Variable<T>['parse'],
  wanted: string,
  shown: Variable<T>['shown'] = asItIs,
): Variable<T> {
  return { fallback, parse, wanted, shown }
}

function optional<T>(
  parse: Variable<T>['parse'],
  wanted: Variable<T>['wanted'],
  shown: Variable<T>['shown'] = asItIs,
): Variable<T | null> {
  return { fallback: null, parse, wanted, shown }
}

function oneOf<T extends string>(fallback: NoInfer<T>, ...allowed: readonly T[]): Variable<T> {
  return variable(fallback, (text) => allowed.find((item) => item === text), `use ${allowed.join(' or ')}`)
}

const HTTPS = 'use an https:// address'
const RECEIPTS = `use https://HOST, of at most ${MOST_BASE_CHARACTERS} characters: a longer address makes a QR code that worn screens do not show`
const FILE = 'use a path'
const COUNT = 'use a number of requests, 1 or more'
const SOCKET = `use a path of at most ${MAX_SOCKET_PATH_BYTES} bytes`
const MACHINE_ID = 'use up to 100 letters, digits and signs without spaces'
const SIGNERS = 'use test=ID:CN|CN;live=ID:CN, with organizationIdentifier and common names'
const PROXY = 'use http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT'
const SMTP = 'use smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT'
const SENDER = 'use an address such as fiskd@example.hr, or Name <fiskd@example.hr>'

const perWindow = (most: number) => variable(String(most), parse.numberLike(/^[1-9]\d{0,8}$/), COUNT)
const socketOf = ({ isInstalled, dataDir }: Installation) =>
  isInstalled ? '/run/fiskd/fiskd.sock' : join(dataDir, 'fiskd.sock')
/** Where fiskd keeps what it trusts. */
export const trustFile = (sharedDir: string, name: string) => join(sharedDir, 'trust', `${name}.pem`)
const trustOf = (mode: string) => variable(({ sharedDir }) => trustFile(sharedDir, mode), resolve, FILE)

/** Every variable: what it is when it is not set, how it is read, and what it can be (docs/configuration.md). */
export const VARIABLE = {
  FISKD_ROLE: oneOf('gateway', 'gateway', 'server'),
  FISKD_DATA_DIR: variable(({ dataDir }) => dataDir, resolve, FILE),
  FISKD_SHARED_DIR: variable(({ sharedDir }) => sharedDir, resolve, FILE),
  FISKD_PROCESSES: optional(parse.numberLike(/^[1-9]\d{0,2}$/), 'use a number of processes, 1 to 999'),
  FISKD_MACHINE_ID: optional((text) => (/^[!-~]{1,100}$/.test(text) ? text : undefined), MACHINE_ID),
  FISKD_DATABASE_URL: optional(parse.databaseUrl, (text) => String(readDatabaseUrl(text)), describeDatabaseUrl),
  FISKD_LISTEN: variable('127.0.0.1:8443,[::1]:8443', parse.listenAddresses, 'use host:port, several with commas'),
  FISKD_SOCKET: variable(socketOf, parse.socketPath, SOCKET, resolve),
  FISKD_TLS_CERT: optional(String, FILE),
  FISKD_TLS_KEY: optional(String, FILE),
  FISKD_CA_FILE: optional(resolve, FILE),
  FISKD_TLS_NAMES: variable('', parse.hostNames, 'use host names and IP addresses, several with commas'),
  FISKD_PROXIES: variable('', parse.ipAddresses, 'use IP addresses, several with commas'),
  FISKD_CIS_TEST_URL: variable(OFFICIAL_URLS.test, parse.httpsUrl, HTTPS),
  FISKD_CIS_LIVE_URL: variable(OFFICIAL_URLS.live, parse.httpsUrl, HTTPS),
  FISKD_CIS_PROXY: optional(parseProxy, PROXY, hidden),
  FISKD_CIS_SHA1_ANSWERS: oneOf<Sha1Answers>('accept', 'accept', 'refuse'),
  FISKD_CIS_SIGNERS: optional(parseServiceNames, SIGNERS),
  FISKD_TRUST_TEST: trustOf('test'),
  FISKD_TRUST_LIVE: trustOf('live'),
  FISKD_DEPLOYMENT_MODE: oneOf('test', 'test', 'live'),
  FISKD_SWEEP_INTERVAL_S: variable('300', parse.numberLike(/^\d+$/, 1, 86_400), 'use 1 to 86400 seconds'),
  FISKD_DISK_FLOOR_MB: variable('100', parse.numberLike(/^\d{1,6}$/), 'use 0 to 999999 megabytes'),
  FISKD_LOG_LEVEL: oneOf('info', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  FISKD_DOCS_URL: optional(parse.httpsBase, HTTPS),
  FISKD_SMTP_URL: optional(parseSmtpUrl, SMTP, hidden),
  FISKD_ALERT_TO: variable('', parse.mailAddresses, 'use mail addresses, several with commas'),
  FISKD_ALERT_FROM: optional(parse.mailSender, SENDER),
  FISKD_ALERT_LANGUAGE: oneOf('hr', ...LANGUAGES),
  /** Of `fisk`, which reads it by itself. */
  FISKD_LANGUAGE: optional((text) => LANGUAGES.find((one) => one === text), 'use hr or en'),
  FISKD_DASHBOARD_URL: optional(parse.dashboardBase, HTTPS),
  FISKD_RECEIPTS_URL: optional(parse.receiptsBase, RECEIPTS),
  FISKD_RECEIPTS_LISTEN: optional(parse.listenAddresses, 'use host:port, several with commas'),
  FISKD_SYNC_URL: optional(parse.httpsBase, HTTPS),
  FISKD_SYNC_MAX_KBPS: optional(parse.numberLike(/^[1-9]\d{0,6}$/), 'use 1 to 9999999 kilobits per second'),
  RATE_LIMIT_ENABLED: oneOf('true', 'true', 'false'),
  RATE_LIMIT_PER_MINUTE: perWindow(API_BOUNDS.requests.most),
  RATE_LIMIT_IP_PER_MINUTE: perWindow(API_BOUNDS.requestsOfAddress.most),
  RATE_LIMIT_AUTH_PER_15MIN: perWindow(API_BOUNDS.signIns.most),
}

/** Those that may hold a password. Each can be given as a file instead: `NAME_FILE` is its path. */
export const SECRETS: ReadonlySet<string> = new Set(['FISKD_DATABASE_URL', 'FISKD_SMTP_URL', 'FISKD_CIS_PROXY'])

type Table = typeof VARIABLE
export type Values = { [Name in keyof Table]: Table[Name] extends Variable<infer T> ? T : never }

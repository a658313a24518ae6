import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as tls from 'node:tls'
import pg from 'pg'
import { type DatabaseUrl, readDatabaseUrl, sslModeOf } from '../../domain/database-url.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import { cutOff } from './connection.ts'
import { codeOf, kindOf } from './server-faults.ts'

/** Milliseconds. A sale waits for several queries, so a server that takes longer to connect counts as unreachable. */
const CONNECT_MS = 3_000
/** The same for one of several hosts. */
const ATTEMPT_MS = 1_000

const COMMON: pg.ClientConfig = {
  application_name: 'fiskd',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: { getTypeParser: parserOf },
}

const INT8 = 20
const NUMERIC = 1700

/** Returns times and counts as numbers, as SQLite does; pg would return text. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  return pg.types.getTypeParser(oid, format)
}

/** A host, with TLS or without. */
interface Way {
  host: string
  port: number
  sslMode: string
  hasTls: boolean
}

/** Whether a host is not the one that `target_session_attrs` wants. */
const REFUSED: Record<string, string> = {
  'read-write': `SELECT current_setting('transaction_read_only') = 'on' AS refused`,
  primary: 'SELECT pg_is_in_recovery() AS refused',
}

/**
 * The connections to a database. Where it may be reached in several ways, the hosts are asked at once, and connections
 * go to the one that was found, until one of them is lost. @throws Error for an address that fiskd cannot use
 */
export function connectionsTo(text: string) {
  const url = understood(text)
  const hosts = url.hosts.map((given) => waysTo(given, url))
  const only = hosts.flat().length === 1 ? hosts[0]?.[0] : undefined
  // libpq would take any of several, and fiskd cannot sell on a standby.
  const refused = REFUSED[url.parameters.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any')]
  let found: Way | undefined

  async function firstOf([way, ...others]: readonly Way[]): Promise<Way> {
    const client = new Connection({ connectionTimeoutMillis: ATTEMPT_MS }, way)
    try {
      await client.connect()
      return way as Way
    } catch (error) {
      if (others.length === 0) throw error
      return await firstOf(others)
    } finally {
      cutOff(client)
    }
  }

  const find = sharedRun(async () => {
    const errors: Error[] = []
    const looks = hosts.map((ways, i) =>
      firstOf(ways).catch((error: Error) => {
        errors[i] = error
      }),
    )
    // In their order: where two of them take writes, every process goes to the same one.
    for (const look of looks) {
      found = (await look) ?? undefined
      if (found) return found
    }
    const worst = errors.find((error) => kindOf(error) !== 'lost' || codeOf(error).startsWith('28')) ?? errors[0]
    const said = errors.map(({ message }, i) => `${hosts[i]?.[0]?.host}: ${message}`)
    throw Object.assign(new Error(said.join('; '), { cause: worst }), { code: codeOf(worst) || '08001' })
  })

  class Connection extends pg.Client {
    readonly #way: Way | undefined

    constructor({ connectionTimeoutMillis = CONNECT_MS, ...options }: pg.ClientConfig = {}, way = only) {
      super({
        ...COMMON,
        ...loginOf(url),
        ...options,
        connectionTimeoutMillis: connectionTimeoutMillis / (way ? 1 : 2),
      })
      this.#way = way
      // Without a listener it would end the process.
      this.on('error', () => this.#forget())
    }

    /** One that was sent to a certain host only looks. */
    #forget(): void {
      if (!this.#way) found = undefined
    }

    override connect(): Promise<this>
    override connect(done: (error: Error) => void): void
    override connect(done?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#open()
      if (!done) return connected
      connected.then(() => done(undefined as never), done)
      return undefined
    }

    async #open(): Promise<this> {
      const way = this.#way ?? found ?? (await find())
      try {
        const ssl = way.hasTls && (await tlsOf(way.sslMode, url))
        const password =
          this.password || (() => passwordOf([way.host, String(way.port), this.database, this.user], url))
        Object.assign(this, { host: way.host, port: way.port, password, ssl })
        Object.assign(this.connection, { ssl })
        await super.connect()
        if (refused) {
          const { rows } = await this.query({ text: refused, query_timeout: ATTEMPT_MS } as pg.QueryConfig)
          if (rows[0].refused) throw Object.assign(new Error('it takes no writes'), { code: '25006' })
        }
        return this
      } catch (error) {
        this.#forget()
        cutOff(this)
        throw explained(error)
      }
    }
  }
  return Connection
}

function understood(text: string): DatabaseUrl {
  const url = readDatabaseUrl(text)
  if (typeof url === 'string') throw new Error(`FISKD_DATABASE_URL is not understood: ${url}`)
  return url
}

/** `prefer` and `allow` are two ways. */
function waysTo({ host, port }: DatabaseUrl['hosts'][number], url: DatabaseUrl): Way[] {
  const there = host || process.env.PGHOST || 'localhost'
  const sslMode = sslModeOf(there, url)
  const tls = sslMode === 'prefer' ? [true, false] : sslMode === 'allow' ? [false, true] : [sslMode !== 'disable']
  return tls.map((hasTls) => ({ host: there, port: Number(port || process.env.PGPORT || 5432), sslMode, hasTls }))
}

/** What is left out is read from the environment by pg. */
function loginOf({ user, password, database, parameters }: DatabaseUrl): pg.ClientConfig {
  const options = parameters.get('options')
  return { ...(user && { user }), ...(password && { password }), database, ...(options && { options }) }
}

/** Read for each connection: certificates and keys are renewed while fiskd runs. */
async function tlsOf(sslMode: string, { parameters }: DatabaseUrl): Promise<tls.ConnectionOptions> {
  const [root, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => parameters.get(name))
  return {
    // As libpq does: with a root certificate, `require` verifies, too.
    rejectUnauthorized: sslMode.startsWith('verify') || root !== undefined,
    ...(root && { ca: root === 'system' ? systemAuthorities() : await readFile(root) }),
    ...(sslMode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(cert && { cert: await readFile(cert) }),
    ...(key && { key: await secretIn(key) }),
  }
}

function systemAuthorities(): string[] {
  // Named, it would keep the program from starting with Node 22.14.
  if (!('getCACertificates' in tls))
    throw new Error('sslrootcert=system needs Node 22.15: give the file of the authority')
  return tls.getCACertificates('system')
}

/** @throws Error, as libpq does, for a file that others may read; one of root may be lent to a group */
async function secretIn(path: string): Promise<string> {
  const { mode, uid } = await stat(path)
  if (mode & (uid === 0 ? 0o027 : 0o077)) throw new Error(`others may read ${path}: chmod 600 ${path}`)
  return readFile(path, 'utf8')
}

/** Read for each connection, when it is asked for: a password is changed while fiskd runs. */
async function passwordOf(login: readonly (string | undefined)[], { parameters }: DatabaseUrl): Promise<string> {
  const path = parameters.get('passfile') ?? process.env.PGPASSFILE ?? join(homedir(), '.pgpass')
  const lines = existsSync(path) ? (await secretIn(path)).split('\n') : []
  for (const line of lines) {
    const fields = line.match(/(?:\\.|[^\\:])+/g)?.map((field) => field.replace(/\\(.)/g, '$1')) ?? []
    if (fields[4] && login.every((part, i) => fields[i] === '*' || fields[i] === part)) return fields[4]
  }
  throw new Error(`it asks for a password, and neither FISKD_DATABASE_URL nor ${path} has one for ${login.join(':')}`)
}

/** What Node says of TLS is about web servers. */
const REMEDIES: [RegExp, string][] = [
  [/ALTNAME/, 'its certificate is for another name: give a host that is in it, or use sslmode=verify-ca'],
  [/EXPIRED|NOT_YET/, 'its certificate is not valid now: renew it, and look at the clock'],
  [
    /SIGN|ISSUER/,
    'its certificate is of an authority that is not known: give the file of this authority in sslrootcert',
  ],
  [/CERTIFICATE_REQUIRED/, 'it wants a certificate: give sslcert and sslkey'],
  [/not support SSL/, 'it has no TLS: turn ssl on in its postgresql.conf'],
  [/no encryption/, 'it wants TLS: give sslmode=verify-full and sslrootcert'],
]

/** Whatever is wrong with a connection, it is about the server, and may be over: 08001 where it has no other code. */
function explained(error: unknown): unknown {
  const [code, { message }] = [codeOf(error), error as Error]
  const remedy = REMEDIES.find(([words]) => words.test(`${code} ${message}`))?.[1]
  const isOfServer = error instanceof pg.DatabaseError
  if (!remedy && (isOfServer || kindOf(error))) return error
  const said = remedy ? `${remedy} (${isOfServer ? message : code || message})` : message
  return Object.assign(new Error(said, { cause: error }), { code: isOfServer ? code : '08001' })
}

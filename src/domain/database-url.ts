/** The address of a PostgreSQL database, as libpq reads it. */
export interface DatabaseUrl {
  /** Empty where the address leaves them out. */
  hosts: readonly { host: string; port: string }[]
  user: string
  password: string
  database: string
  parameters: ReadonlyMap<string, string>
}

/** What libpq knows and fiskd does, too; with the values that it can have, where these are few. */
const PARAMETERS = new Map<string, readonly string[]>([
  ...['host', 'port', 'user', 'password', 'passfile', 'options'].map((name) => [name, []] as const),
  ['sslmode', ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']],
  ...['sslrootcert', 'sslcert', 'sslkey'].map((name) => [name, []] as const),
  // fiskd writes: what waits for a standby would never sell.
  ['target_session_attrs', ['any', 'read-write', 'primary']],
])

const FORM = 'use postgres://USER:PASSWORD@HOST/DATABASE, or postgres://USER@/DATABASE?host=/run/postgresql'
const ENCODE = 'write @ / ? # and % of a password as %40 %2F %3F %23 %25'

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#\s]*)@)?([^/?#@\s]*)\/([^/?#@\s]+)(?:\?([^#@\s]*))?$/i
const PLACE = /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/i

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text)

/** @returns what is wrong with it, and what to do, when fiskd cannot use it; never a value out of it */
export function readDatabaseUrl(text: string): DatabaseUrl | string {
  const [, account = '', places = '', database = '', query] = SHAPE.exec(text) ?? []
  const parts = places.split(',').map((place) => PLACE.exec(place))
  if (database === '' || parts.includes(null)) return `${FORM}; ${ENCODE}`
  const parameters = new Map(new URLSearchParams(query))
  const hosts = parameters.get('host')?.split(',') ?? parts.map((part) => part?.[1] ?? part?.[2] ?? '')
  const ports = parameters.get('port')?.split(',') ?? parts.map((part) => part?.[3] ?? '')
  const problem = problemOf(parameters) ?? problemOfPorts(ports, hosts.length)
  if (problem !== undefined) return problem
  const [user = '', ...password] = account.split(':')
  try {
    return {
      hosts: hosts.map((host, i) => ({ host: decodeURIComponent(host), port: (ports[i] ?? ports[0]) || '' })),
      user: parameters.get('user') ?? decodeURIComponent(user),
      password: parameters.get('password') ?? decodeURIComponent(password.join(':')),
      database: decodeURIComponent(database),
      parameters,
    }
  } catch {
    return ENCODE
  }
}

function problemOf(parameters: DatabaseUrl['parameters']): string | undefined {
  for (const [name, value] of parameters) {
    const values = PARAMETERS.get(name)
    if (!values) return `${name} in it is not supported, only ${[...PARAMETERS.keys()].join(', ')}: leave it out`
    if (values.length > 0 && !values.includes(value)) return `${name} in it has to be one of ${values.join(', ')}`
  }
  const [mode, root] = [parameters.get('sslmode'), parameters.get('sslrootcert')]
  if (root === 'system' && (mode ?? 'verify-full') !== 'verify-full') {
    return 'sslrootcert=system in it needs sslmode=verify-full: anybody can have a certificate for another name'
  }
  if (mode === 'verify-ca' && !root) return 'sslmode=verify-ca in it needs sslrootcert=FILE, or use sslmode=verify-full'
  if (parameters.has('sslcert') === parameters.has('sslkey')) return undefined
  return 'sslcert and sslkey in it go together: give both or neither'
}

function problemOfPorts(ports: readonly string[], hosts: number): string | undefined {
  if (!ports.every((port) => /^\d{0,5}$/.test(port) && Number(port) <= 65_535)) return 'port in it has to be a number'
  if (ports.length === 1 || ports.length === hosts) return undefined
  return `it has ${hosts} hosts and ${ports.length} ports: give one port for all, or one for each`
}

/** Whether a host is this machine: what goes to it crosses no network. */
export const isThisMachine = (host: string): boolean => /^(\/.*|localhost|127\.[\d.]+|::1|)$/.test(host)

/** Another machine is asked for TLS, as libpq does. A socket has none. */
export function sslModeOf(host: string, { parameters }: DatabaseUrl): string {
  if (host.startsWith('/')) return 'disable'
  const otherwise = isThisMachine(host) ? 'disable' : 'prefer'
  return parameters.get('sslmode') ?? (parameters.get('sslrootcert') === 'system' ? 'verify-full' : otherwise)
}

/** The hosts of which nothing proves that they answer, and not somebody on the way. */
export function unprovenHosts(text: string): string[] {
  const url = readDatabaseUrl(text)
  if (typeof url === 'string') return []
  const hosts = url.hosts.map(({ host }) => host).filter((host) => !isThisMachine(host))
  return hosts.filter((host) => {
    const mode = sslModeOf(host, url)
    return !mode.startsWith('verify') && !(mode === 'require' && url.parameters.has('sslrootcert'))
  })
}

/** Describes the database for people and logs, without credentials. */
export function describeDatabaseUrl(text: string): string {
  const url = readDatabaseUrl(text)
  // Not even a part that may be a password in a text that is no address.
  if (typeof url === 'string') return `${/^[\w+.-]{1,20}(?=:)/.exec(text)?.[0] ?? ''}...`
  const places = url.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}${port && `:${port}`}`)
  return `postgres://${places.join(',')}/${url.database}`
}

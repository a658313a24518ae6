/** @returns null for what is no address of a PostgreSQL database */
export function readPostgresUrl(text: string): URL | null {
  // `URL` refuses a user without a host, but the host may be the folder of a Unix socket: ?host=/run/postgresql
  const whole = text.replace(/@(?=\/|$)/, '@localhost')
  return /^postgres(ql)?:\/\/\S+$/i.test(text) && URL.canParse(whole) ? new URL(whole) : null
}

/** The place of a database without its password. */
export function describeDatabase(text: string): string {
  const url = readPostgresUrl(text)
  if (url === null) return `${/^[\w+.-]{1,20}(?=:)/.exec(text)?.[0] ?? ''}...`
  return `postgres://${url.searchParams.get('host') ?? url.host}${url.pathname}`
}

/** The commands that make the database of an address, for its administrator. */
export function makingOf(text: string): string {
  const url = readPostgresUrl(text)
  const user = decodeURIComponent(url?.username || 'fiskd')
  const database = decodeURIComponent(url?.pathname.slice(1) || 'fiskd')
  const isHere = url?.searchParams.has('host') || /^(|localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
  const install = isHere ? 'sudo apt install postgresql && ' : ''
  const password = url?.password ? ' --pwprompt' : ''
  return `${install}sudo -u postgres createuser${password} ${user} && sudo -u postgres createdb --owner ${user} ${database}`
}

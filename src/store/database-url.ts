export function isPostgresUrl(database: string): boolean {
  return /^postgres(ql)?:\/\//i.test(database)
}

export function parsePostgresUrl(text: string): URL | undefined {
  if (!isPostgresUrl(text) || /\s/.test(text)) return undefined
  // `URL` refuses a user without a host, but the host may be the folder of a Unix socket: ?host=/run/postgresql
  const whole = text.replace(/@(?=\/|$)/, '@localhost')
  return URL.canParse(whole) ? new URL(whole) : undefined
}

/** Describes the database for people and logs: its database without credentials. */
export function describePostgresUrl(text: string): string {
  const url = parsePostgresUrl(text)
  if (!url) return 'postgres://...'
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = url.searchParams.get('port') ?? url.port
  return `postgres://${host}${port && `:${port}`}${url.pathname === '' ? '/' : url.pathname}`
}

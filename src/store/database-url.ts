/** Whether a place is a PostgreSQL database and no path. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place)
}

/** @returns undefined when it is no address of a PostgreSQL database */
export function parsePostgresUrl(text: string): URL | undefined {
  if (!isPostgresUrl(text) || /\s/.test(text)) return undefined
  // A user without a host is no URL to others; here the host may be a folder with a Unix socket: ?host=/run/postgresql
  const whole = text.replace(/@(?=\/|$)/, '@localhost')
  return URL.canParse(whole) ? new URL(whole) : undefined
}

/** A database as people may see it, and logs: where it is, and nothing that opens it. */
export function describePostgresUrl(text: string): string {
  const url = parsePostgresUrl(text)
  if (!url) return 'postgres://...'
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = url.searchParams.get('port') ?? url.port
  return `postgres://${host}${port && `:${port}`}${url.pathname === '' ? '/' : url.pathname}`
}

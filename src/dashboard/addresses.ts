import type { FastifyRequest } from 'fastify'

const START = '/dashboard'

/** An address of a page with its query; what is empty is left out. */
export function addressOf(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** An address of these pages; whatever else was asked for leads to the first one. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !URL.canParse(wanted, 'https://here')) return START
  const { origin, pathname, search } = new URL(wanted, 'https://here')
  const isOurs = origin === 'https://here' && (pathname === START || pathname.startsWith(`${START}/`))
  return isOurs ? `${pathname}${search}` : START
}

/** Where a form leads on to: the page that it stands on, where its hidden field `back` names that. */
export const backOf = ({ back }: Record<string, string>, otherwise: string) => (back ? ownPath(back) : otherwise)

/** Where the reader has found this server: gateways, and people who get a link, most likely find it there, too. */
export function hostOf({ headers: { host = '' } }: FastifyRequest): string {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? host : 'SERVER:8443'
}

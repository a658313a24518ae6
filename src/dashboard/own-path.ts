const START = '/dashboard'

/** An address of these pages; whatever else was asked for leads to the first one. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !URL.canParse(wanted, 'https://here')) return START
  const { origin, pathname, search } = new URL(wanted, 'https://here')
  const isOurs = origin === 'https://here' && (pathname === START || pathname.startsWith(`${START}/`))
  return isOurs ? `${pathname}${search}` : START
}

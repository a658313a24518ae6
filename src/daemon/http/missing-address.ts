import { createServer } from 'node:net'

/** What the operating system says of an address that it does not have, and the resolver of a name without one. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether something could not be listened on because the host lacks the address now: a cable, a lease, a name server. */
export function isAbsence(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Why an address cannot be listened on, for people. */
export function whyNotListening(error: unknown): string {
  const { code = String(error) } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'another program listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name leads to no address now'
  return isAbsence(error) ? 'this machine does not have this address now' : `it cannot be had (${code})`
}

/**
 * Whether the host has an address now, whatever listens on it: by binding a port that is free, for only the kernel knows
 * all that it takes for its own.
 * @returns the error when it has not, or undefined; also when nobody can tell
 */
export function absenceOf(host: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(isAbsence(error) ? error : undefined))
    probe.listen({ host, port: 0, ipv6Only: true, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

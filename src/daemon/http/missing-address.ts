import { createServer } from 'node:net'

/** Error codes for an address that the host does not have, and for a name that does not resolve. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether listening failed because the host lacks the address now (cable, DHCP lease, name server). */
export function isAbsence(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}

export function whyNotListening(error: unknown): string {
  const { code = String(error) } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'another program listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name leads to no address now'
  return isAbsence(error) ? 'this machine does not have this address now' : `it cannot be had (${code})`
}

/**
 * Binds a free port, because only the kernel knows every local address: other programs may use those of the listener.
 * @returns the error when the host lacks the address; undefined when it has it or when this cannot be determined
 */
export function absenceOf(host: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(isAbsence(error) ? error : undefined))
    probe.listen({ host, port: 0, ipv6Only: true, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

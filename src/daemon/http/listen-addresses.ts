import { createServer } from 'node:net'
import type { Logger } from 'pino'
import type { ListenState } from '../../fiscal/ports/machine.ts'
import type { ListenAddress } from '../config/parsers.ts'
import { Obstacle } from '../lifecycle/obstacle.ts'
import type { TlsListener } from './listeners.ts'

interface Entry {
  address: ListenAddress
  /** Undefined until the host has the address. Kept when the address goes away: it works again when that is back. */
  listener?: TlsListener
  problem: string | null
}

/**
 * An address that the host lacks does not stop the others: a kiosk sells over loopback while its cable is out. One that
 * another program uses, or that is not permitted, makes `open` fail.
 * @param listen as `listenTls`
 * @param variableOf the variable that an address stands in
 */
export function createListenAddresses(
  addresses: readonly ListenAddress[],
  listen: (address: ListenAddress) => Promise<TlsListener>,
  log: Pick<Logger, 'info' | 'warn'>,
  variableOf: (address: ListenAddress) => string = () => 'FISKD_LISTEN',
) {
  const entries: Entry[] = addresses.map((address) => ({ address, problem: null }))
  const beside = (address: ListenAddress) => addresses.filter((one) => variableOf(one) === variableOf(address))
  const listeners = () => entries.flatMap(({ listener }) => listener ?? [])

  function note(entry: Entry, problem: string | null): void {
    if (entry.problem === problem) return
    entry.problem = problem
    const address = nameOf(entry.address)
    if (problem === null) log.info({ address }, 'callers reach fiskd at this address again')
    else log.warn({ address, problem }, 'nobody reaches fiskd at this address')
  }

  /** @returns the error, or undefined when the daemon listens on the address now */
  async function tryToListen(entry: Entry): Promise<unknown> {
    try {
      entry.listener = await listen(entry.address)
      return undefined
    } catch (error) {
      return error
    }
  }

  return {
    /** @throws Error with the address when the host has it but cannot listen on it, or when the host has no address */
    async open(): Promise<void> {
      let absence: { address: ListenAddress; error: unknown } | undefined
      for (const entry of entries) {
        const { address } = entry
        const error = await tryToListen(entry)
        if (error === undefined) continue
        if (!isAbsence(error)) throw cannotListen(address, error, beside(address), variableOf(address))
        absence ??= { address, error }
        note(entry, whyNotListening(error))
      }
      if (absence && listeners().length === 0)
        throw cannotListen(absence.address, absence.error, beside(absence.address), variableOf(absence.address))
    },
    /** Checks which addresses appeared or disappeared. Never throws. Calls must not overlap. */
    async look(): Promise<void> {
      for (const entry of entries) {
        const error = entry.listener ? await absenceOf(entry.listener.host) : await tryToListen(entry)
        note(entry, error === undefined ? null : whyNotListening(error))
      }
    },
    /** With the port that the kernel has chosen, where 0 is configured. */
    state: (): ListenState[] =>
      entries.map(({ address, listener, problem }) => {
        const port = address.port || Number(listener && new URL(listener.url).port) || 0
        return { address: nameOf({ ...address, port }), problem }
      }),
    listeners,
  }
}

/** As it is written in FISKD_LISTEN. */
export function nameOf({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function cannotListen(
  { host, port }: ListenAddress,
  cause: unknown,
  all: readonly ListenAddress[],
  variable: string,
): Error {
  const { code } = cause as NodeJS.ErrnoException
  const message = `cannot listen on ${host} port ${port}: ${code}`
  if (code !== 'EADDRINUSE') return new Error(message, { cause })
  const others = all.map((one) => nameOf(one.port === port ? { ...one, port: port + 1 } : one))
  const fix = `export ${variable}=${others.join(',')}; or end what listens there, which fisk doctor names`
  return new Obstacle(message, fix, { cause })
}

/** Error codes for an address that the host does not have, and for a name that does not resolve. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether listening failed because the host lacks the address now (cable, DHCP lease, name server). */
function isAbsence(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}

function whyNotListening(error: unknown): string {
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

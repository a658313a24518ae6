import type { Logger } from 'pino'
import type { ListenPlace } from '../../fiscal/ports/listen-address.ts'
import type { ListenAddress } from '../config.ts'
import type { TlsListener } from './listeners.ts'
import { absenceOf, isAbsence, whyNotListening } from './missing-address.ts'

interface Place {
  address: ListenAddress
  /** Undefined until the host has the address. Kept when the address goes away: it works again when that is back. */
  listener?: TlsListener
  problem: string | null
}

/** The addresses that callers reach the daemon at. */
export interface Places {
  /** @throws Error with the address when the host has it but cannot listen on it, or when the host has no address */
  open(): Promise<void>
  /** Checks which addresses appeared or disappeared. Never throws. Calls must not overlap. */
  look(): Promise<void>
  state(): ListenPlace[]
  listeners(): TlsListener[]
}

/**
 * Listens on several addresses. An address that the host lacks does not stop the others: a kiosk sells over loopback
 * while its cable is out. An address that another program uses, or that is not permitted, makes `open` fail.
 * @param listen as `listenTls`
 */
export function createPlaces(
  addresses: readonly ListenAddress[],
  listen: (address: ListenAddress) => Promise<TlsListener>,
  log: Pick<Logger, 'info' | 'warn'>,
): Places {
  const places: Place[] = addresses.map((address) => ({ address, problem: null }))
  const listeners = () => places.flatMap(({ listener }) => listener ?? [])

  function note(place: Place, problem: string | null): void {
    if (place.problem === problem) return
    place.problem = problem
    const address = nameOf(place.address)
    if (problem === null) log.info({ address }, 'callers reach fiskd at this address again')
    else log.warn({ address, problem }, 'nobody reaches fiskd at this address')
  }

  /** @returns the error, or undefined when the daemon listens on the address now */
  async function listenAgain(place: Place): Promise<unknown> {
    try {
      place.listener = await listen(place.address)
      return undefined
    } catch (error) {
      return error
    }
  }

  return {
    async open() {
      let absence: { address: ListenAddress; error: unknown } | undefined
      for (const place of places) {
        const { address } = place
        try {
          place.listener = await listen(address)
        } catch (error) {
          if (!isAbsence(error)) throw cannotListen(address, error)
          absence ??= { address, error }
          note(place, whyNotListening(error))
        }
      }
      if (absence && listeners().length === 0) throw cannotListen(absence.address, absence.error)
    },
    async look() {
      for (const place of places) {
        const error = place.listener ? await absenceOf(place.listener.host) : await listenAgain(place)
        note(place, error === undefined ? null : whyNotListening(error))
      }
    },
    state: () => places.map(({ address, problem }) => ({ address: nameOf(address), problem })),
    listeners,
  }
}

/** As it is written in FISKD_LISTEN. */
export function nameOf({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function cannotListen({ host, port }: ListenAddress, cause: unknown): Error {
  return new Error(`cannot listen on ${host} port ${port}: ${(cause as NodeJS.ErrnoException).code}`, { cause })
}

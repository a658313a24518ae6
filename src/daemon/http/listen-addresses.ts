import type { Logger } from 'pino'
import type { ListenPlace } from '../../fiscal/ports/listen-address.ts'
import type { ListenAddress } from '../config.ts'
import type { TlsListener } from './listeners.ts'
import { absenceOf, isAbsence, whyNotListening } from './missing-address.ts'

interface Place {
  address: ListenAddress
  /** Undefined while the host lacks the address; one that is lost later keeps it, for it works again when it is back. */
  listener?: TlsListener
  problem: string | null
}

/** The addresses that callers reach the daemon at. */
export interface Places {
  /** @throws Error that names the address when one cannot be had though the host has it, or when the host has none of them */
  open(): Promise<void>
  /** Looks which addresses came and went. Never throws. One at a time. */
  look(): Promise<void>
  state(): ListenPlace[]
  listeners(): TlsListener[]
}

/**
 * An address that the host lacks stops no other one: a kiosk sells over loopback while its cable is out. Only what is in
 * use by another program, or may not be had, is a mistake that the start tells at once.
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

  /** @returns why it cannot be had; undefined when it is listened on now */
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

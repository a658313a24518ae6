import { type Check, fine, warning } from '../../domain/check.ts'
import { LISTEN_AGAIN_S, type ListenState } from '../ports/listen-address.ts'
import type { HealthCheck } from './doctor.ts'

const FIX =
  'plug in its network cable, or have the router give this machine the same address each time; ' +
  'or choose another one: sudo fisk init --listen ADDRESS, where 0.0.0.0 is every address that it has'

/** Whether the daemon listens at every configured address. */
export function listenChecks(listened: () => readonly ListenState[]): HealthCheck[] {
  const check = ({ address, problem }: ListenState): Check =>
    warning('addresses', `nobody reaches fiskd at ${address}: ${problem}; it tries every ${LISTEN_AGAIN_S} s`, FIX)
  return [
    {
      name: 'addresses',
      async run() {
        const states = listened()
        const missing = states.filter(({ problem }) => problem !== null)
        if (missing.length > 0) return missing.map(check)
        return [fine('addresses', `reached at ${states.map(({ address }) => address).join(', ')}`)]
      },
    },
  ]
}

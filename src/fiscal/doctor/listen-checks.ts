import { type Check, fine, warning } from '../../domain/check.ts'
import { LISTEN_AGAIN_S, type ListenState } from '../ports/listen-address.ts'
import type { HealthCheck } from './doctor.ts'

const NAME = { en: 'addresses', hr: 'mrežne adrese' }
const FIX = {
  en:
    'plug in its network cable, or have the router give this machine the same address each time; ' +
    'or choose another one: sudo fisk init --listen ADDRESS, where 0.0.0.0 is every address that it has',
  hr:
    'priključite mrežni kabel ili podesite usmjernik da ovom računalu uvijek dodjeljuje istu adresu; ' +
    'ili odaberite drugu: sudo fisk init --listen ADDRESS, pri čemu 0.0.0.0 znači sve adrese računala',
}

export function listenChecks(listened: () => readonly ListenState[]): HealthCheck[] {
  const check = ({ address, problem }: ListenState): Check =>
    warning(
      NAME,
      {
        en: `nobody reaches fiskd at ${address}: ${problem}; it tries every ${LISTEN_AGAIN_S} s`,
        hr: `fiskd nije dostupan na adresi ${address}: ${problem}; pokušava svakih ${LISTEN_AGAIN_S} s`,
      },
      FIX,
    )
  return [
    {
      name: NAME,
      async run() {
        const states = listened()
        const missing = states.filter(({ problem }) => problem !== null)
        if (missing.length > 0) return missing.map(check)
        const all = states.map(({ address }) => address).join(', ')
        return [fine(NAME, { en: `reached at ${all}`, hr: `dostupno na ${all}` })]
      },
    },
  ]
}

import type { TrustList, TrustPurpose } from '../certificate.ts'
import type { Mode } from '../sale/sale.ts'
import { alike, type Both, together } from './both.ts'

export const addTrust = (mode: Mode, purpose: TrustPurpose) => `fisk trust add --mode ${mode} --for ${purpose} FILE`

/** How the CA certificates of the tax authority get here. @param given as of `TrustCare.given` */
export function bringTrust(mode: Mode, list: TrustList, given: string | null): Both {
  const base =
    given === null
      ? alike(`fisk trust fetch --mode ${mode}`)
      : { en: `put the CA certificates into ${given}`, hr: `stavite certifikate izdavatelja (CA) u ${given}` }
  const or = { en: 'or from a file', hr: 'ili iz datoteke' }
  return list === 'base' ? base : together`${base}, ${or}: ${addTrust(mode, list)}`
}

import { conflict, FiskError } from '../../domain/errors.ts'
import type { Premises, PremisesAuthority } from '../ports/gateways.ts'
import type { PlacingContext } from './context.ts'

/** The server's answer, by premises code. */
export interface ClaimedPremises {
  /** Premises that belong to another seller. */
  refused: ReadonlyMap<string, FiskError>
  /** Premises without an answer, because the server was not reached; this gateway uses them anyway. */
  notAsked: readonly string[]
}

/** Premises per request. */
const AT_ONCE = 500

/**
 * Claims premises of one company that have no device here yet, and learns the numbers given out there. Call it before
 * the transaction that creates the device.
 */
export async function claimNewPremises(
  { store, premises: authority }: Pick<PlacingContext, 'store' | 'premises'>,
  tenantId: string,
  wanted: readonly Premises[],
): Promise<ClaimedPremises> {
  const refused = new Map<string, FiskError>()
  const notAsked: string[] = []
  for (let start = 0; authority && start < wanted.length; start += AT_ONCE) {
    const some = wanted.slice(start, start + AT_ONCE)
    const known = new Set((await store.gateways.claims.holders(some, tenantId)).map(({ premisesCode }) => premisesCode))
    const fresh = some.filter(({ premisesCode }) => !known.has(premisesCode))
    if (fresh.length === 0) continue
    // After one request without an answer, do not wait for the server again.
    const taken = notAsked.length === 0 ? await authority.claim(tenantId, fresh) : null
    if (taken === null) notAsked.push(...fresh.map(({ premisesCode }) => premisesCode))
    for (const [code, message] of taken ?? []) {
      const why = `the central server says: ${message}`
      refused.set(code, new FiskError('premises_owned_by_gateway', why, { param: 'premises_code' }))
    }
  }
  return { refused, notAsked }
}

/** The field for the audit log; empty when the server has answered. */
export function auditedClaim({ notAsked }: ClaimedPremises): { premises_not_asked?: string[] } {
  return notAsked.length === 0 ? {} : { premises_not_asked: notAsked.slice(0, 100) }
}

/** For commands from the server itself: without its answer the command is refused. */
export function mustAnswer(authority: PremisesAuthority): PremisesAuthority {
  return {
    async claim(tenantId, premises) {
      const taken = await authority.claim(tenantId, premises)
      if (taken) return taken
      throw conflict(
        'premises_code',
        'the central server did not say which receipt numbers were given out at these premises: send the command again',
      )
    },
  }
}

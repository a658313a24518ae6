import { conflict, FiskError } from '../../domain/errors.ts'
import type { Premises, PremisesAuthority } from '../ports/gateways.ts'
import type { Store } from '../ports/store.ts'

export interface NewPremisesDeps {
  store: Pick<Store, 'gateways'>
  /** The server that this database is enrolled at; none where nobody else decides. */
  premises?: PremisesAuthority | undefined
}

/** What came of asking, by premises code. */
export interface ClaimedPremises {
  /** Those that are not ours. */
  refused: ReadonlyMap<string, FiskError>
  /** Those of which nobody knows, for the server did not answer; we go on alone. */
  notAsked: readonly string[]
}

/** So many are asked about at once. */
const AT_ONCE = 500

/**
 * Asks for premises where no device of ours stands yet, and learns the numbers that were given out there: before the
 * transaction that makes the device.
 * @param wanted premises of one company
 */
export async function claimNewPremises(
  { store, premises: authority }: NewPremisesDeps,
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
    // Whoever did not answer once is not waited for again and again.
    const taken = notAsked.length === 0 ? await authority.claim(tenantId, fresh) : null
    if (taken === null) notAsked.push(...fresh.map(({ premisesCode }) => premisesCode))
    for (const [code, message] of taken ?? []) refused.set(code, refusedAbove(message))
  }
  return { refused, notAsked }
}

/** For the audit log: nothing where the server was asked. */
export function auditedClaim({ notAsked }: ClaimedPremises): { premises_not_asked?: string[] } {
  return notAsked.length === 0 ? {} : { premises_not_asked: notAsked.slice(0, 100) }
}

/** For what only the server asks for: there is no reason to go on without its answer. */
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

function refusedAbove(message: string): FiskError {
  const why = `the central server says: ${message}`
  return new FiskError('premises_owned_by_gateway', why, { param: 'premises_code' })
}

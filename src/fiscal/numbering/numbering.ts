import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { type Company, type NumberAhead, type Sequence, sequenceKey } from '../ports/model.ts'
import type { WiredAll } from '../wired.ts'
import { skipLostNumbers } from './account-for-lost.ts'
import { firstCurrentYear, sequencesAhead } from './current-sequences.ts'
import { healNumbers } from './heal-numbers.ts'

/** The current state of the receipt numbers of a premises, or of one of its registers. */
export interface NumberStanding {
  company: Pick<Company, 'id' | 'name' | 'oib'>
  sequence: Sequence
  /** Null before the first number that the counting followed. */
  highest: string | null
  /** How many numbers the counting has neither followed nor passed, and the one that was noted last. */
  ahead: { count: number; latest: NumberAhead } | null
}

/** The tenant's own current sequences, by company, premises and register. @throws FiskError `insufficient_scope` */
async function listNumbers({ store, clock }: Context, principal: Principal): Promise<NumberStanding[]> {
  requireScope(principal, 'fleet:read')
  const now = clock.now()
  const companies = new Map(
    (await store.companies.all())
      .filter(({ id, tenantId }) => tenantId === principal.tenantId && reachesCompany(principal, id))
      .map((company) => [company.id, company]),
  )
  const found = await sequencesAhead(store, now)
  const aheads = new Map(found.map(({ sequence, count, latest }) => [sequenceKey(sequence), { count, latest }]))
  const year = firstCurrentYear(now)
  return (await store.numbering.sequences()).flatMap(({ highest, ...sequence }) => {
    const company = companies.get(sequence.companyId)
    if (!company || sequence.year < year) return []
    const { id, name, oib } = company
    const ahead = aheads.get(sequenceKey(sequence)) ?? null
    return [{ company: { id, name, oib }, sequence, highest: highest === '0' ? null : highest, ahead }]
  })
}

export const NUMBERING_ADMIN = { listNumbers, healNumbers, skipLostNumbers }

export type NumberingAdmin = WiredAll<typeof NUMBERING_ADMIN>

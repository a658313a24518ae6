import type { EpochMs } from '../../domain/instant.ts'
import { sequencesAhead, sequencesEnding } from '../numbering/current-sequences.ts'
import { type JsonObject, type Sequence, sequenceKey } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** Receipt numbers that the counting does not follow, and sequences close to their end. */
export function numberRule(store: Pick<StoreTransaction, 'companies' | 'numbering'>): Rule {
  async function findingOf(kind: Finding['kind'], sequence: Sequence, more: JsonObject): Promise<Finding[]> {
    const { companyId, mode, premisesCode, year, register } = sequence
    const company = await store.companies.get(companyId)
    // Numbers can be taken out of use before their company is stored.
    if (!company) return []
    const whose = { company: company.name, company_id: companyId, mode }
    const detail = { ...whose, premises_code: premisesCode, year, register: register || null, ...more }
    return [{ tenantId: company.tenantId, kind, subject: sequenceKey(sequence), detail }]
  }

  return {
    kinds: ['number_far_ahead', 'numbers_used_up'],
    async look(now: EpochMs) {
      const found: Finding[] = []
      for (const { sequence, count, latest } of await sequencesAhead(store, now)) {
        const { number, invoiceId } = latest
        found.push(...(await findingOf('number_far_ahead', sequence, { number, invoice_id: invoiceId, count })))
      }
      for (const { sequence, highest, left } of await sequencesEnding(store, now)) {
        found.push(...(await findingOf('numbers_used_up', sequence, { highest, left: String(left) })))
      }
      return { found }
    },
  }
}

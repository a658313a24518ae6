import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { sequencesAhead, sequencesEnding, sequencesOfFuture } from '../numbering/current-sequences.ts'
import { isDoubted } from '../numbering/doubtful-numbers.ts'
import type { Issued } from '../numbering/lost-sales.ts'
import { type JsonObject, journalKey, type Sequence, sequenceKey } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/**
 * Receipt numbers that the counting does not follow, sequences close to their end, and numbers of a year that has not
 * begun: they were given out before the tax authority said what year it is.
 * @param latestOf the latest that the time of a mode can be; infinite when unknown
 */
export function numberRule(store: StoreTransaction, latestOf: (mode: Mode) => EpochMs): Rule {
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
    kinds: ['number_far_ahead', 'numbers_used_up', 'numbers_of_future'],
    async look(now: EpochMs) {
      const found: Finding[] = []
      for (const { sequence, count, latest } of await sequencesAhead(store, now)) {
        const { number, invoiceId } = latest
        found.push(...(await findingOf('number_far_ahead', sequence, { number, invoice_id: invoiceId, count })))
      }
      for (const { sequence, highest, left } of await sequencesEnding(store, now)) {
        found.push(...(await findingOf('numbers_used_up', sequence, { highest, left: String(left) })))
      }
      for (const { highest, ...sequence } of await sequencesOfFuture(store, latestOf)) {
        found.push(...(await findingOf('numbers_of_future', sequence, { highest })))
      }
      const isUnknown = (mode: unknown) => latestOf(mode === 'live' ? 'live' : 'test') === Number.POSITIVE_INFINITY
      return { found, isUnclear: ({ kind, detail }) => kind === 'numbers_of_future' && isUnknown(detail.mode) }
    },
  }
}

/** So many lost sales are named in an alert. */
const NAMED = 20

/** Premises whose latest issued sales the database does not hold, and a record of issued sales that cannot be relied on. */
export function issuedRule(store: StoreTransaction, issued: Issued): Rule {
  return {
    kinds: ['sales_lost', 'issued_record'],
    async look() {
      const found: Finding[] = []
      if (issued.lost().length > 0) await issued.compare()
      for (const { companyId, mode, premisesCode, sales } of issued.lost()) {
        const company = await store.companies.get(companyId)
        const numbers = sales.slice(-NAMED).map(({ number, zki, jir }) => `${number} (ZKI ${zki}, JIR ${jir ?? '-'})`)
        found.push({
          tenantId: company?.tenantId ?? DEFAULT_TENANT,
          kind: 'sales_lost',
          subject: journalKey({ companyId, mode, premisesCode }),
          detail: {
            company: company?.name ?? companyId,
            company_id: companyId,
            mode,
            premises_code: premisesCode,
            count: sales.length,
            first: sales[0]?.number ?? null,
            last: sales.at(-1)?.number ?? null,
            numbers,
          },
        })
      }
      const problem = issued.problem()
      if (problem !== null) {
        const tenantId = DEFAULT_TENANT
        found.push({ tenantId, kind: 'issued_record', subject: 'issued record', detail: { problem } })
      }
      return { found }
    },
  }
}

/** Doubtful numbers from the central server, until an operator confirms them or the server sends others. */
export function doubtfulNumbersRule(store: StoreTransaction): Rule {
  return {
    kinds: ['numbers_doubtful'],
    async look() {
      const enrolment = await store.enrolment.get()
      const [first, ...others] = (enrolment?.numbers ?? []).filter(isDoubted)
      if (!enrolment || !first) return { found: [] }
      const { premisesCode: premises, highest: number } = first
      const detail = { premises, number, count: others.length + 1 }
      return { found: [{ tenantId: enrolment.tenantId, kind: 'numbers_doubtful', subject: 'numbers', detail }] }
    },
  }
}

/** For so long a technician may still want to know why numbers are missing. */
const KEPT_MS = 30 * 86_400_000

/** What a memory card has lost is raised when the central server reports it; nothing brings it back. */
export const lostRecordsRule: Rule = {
  kinds: ['records_lost'],
  look: async (now) => ({ found: [], isUnclear: ({ raisedAt }) => now - raisedAt < KEPT_MS }),
}

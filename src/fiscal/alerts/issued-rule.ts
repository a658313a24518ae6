import type { Issued } from '../numbering/lost-sales.ts'
import { journalKey } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** So many lost sales are named in an alert. */
const NAMED = 20

/** Premises whose latest issued sales the database does not hold, and a record of issued sales that cannot be relied on. */
export function issuedRule(store: Pick<StoreTransaction, 'companies'>, issued: Issued): Rule {
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
            ...{ company: company?.name ?? companyId, company_id: companyId, mode, premises_code: premisesCode },
            ...{ count: sales.length, first: sales[0]?.number ?? null, last: sales.at(-1)?.number ?? null, numbers },
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

import { setImmediate } from 'node:timers/promises'
import { certificateStage } from '../../domain/alert.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** Companies between two pauses; a new sale waits for at most this many. */
const BATCH = 50

/** Alerts for certificates of own active companies, by the remaining days. A new certificate resolves all of them. */
export function certificateRule(store: StoreTransaction): Rule {
  return {
    kinds: [
      ...(['certificate_60', 'certificate_30', 'certificate_14', 'certificate_7', 'certificate_1'] as const),
      'certificate_expired',
    ],
    async look(now) {
      const found: Finding[] = []
      for (const [index, { id: companyId, tenantId, name, status }] of (await store.companies.ours()).entries()) {
        if (index % BATCH === BATCH - 1) await setImmediate()
        const certificate = status === 'active' ? await store.certificates.current(companyId) : undefined
        const kind = certificate && certificateStage(certificate.notAfter, now)
        if (!kind) continue
        const { id: subject, notAfter } = certificate
        const detail = { company: name, company_id: companyId, not_after: formatInstant(notAfter) }
        found.push({ tenantId, kind, subject, detail })
      }
      return { found }
    },
  }
}

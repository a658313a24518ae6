import { subjectOf } from '../../domain/sale/findings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { ownMachines } from '../registry/active-devices.ts'
import { type RecentFindings, recentFindings } from '../sales/recent-findings.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** One sale may be odd; three of the latest ones show what a machine does. */
const TOLD_FROM = 3

/**
 * Machines that make the same mistake again and again: the tax authority will find it in their sales. An alert ends when
 * fewer than three of the latest sales have any one finding in common. Of sales that were delivered late after an outage
 * there are other alerts, and nothing is to be corrected in them.
 */
export function findingsRule(store: StoreTransaction): Rule {
  /** Read again once the machine has got another JIR, or is configured otherwise. */
  let known = new Map<string, RecentFindings>()
  return {
    kinds: ['sale_findings'],
    async look() {
      const found: Finding[] = []
      const read: typeof known = new Map()
      for await (const machine of ownMachines(store)) {
        const { device, company } = machine
        const state = JSON.stringify([device, company])
        const recent = known.get(state) ?? (await recentFindings(store, machine))
        read.set(state, recent)
        const often = [...recent.counts].flatMap(([code, count]) => (count >= TOLD_FROM ? code : []))
        const codes = often.filter((code) => subjectOf(code) !== 'delay').sort()
        if (codes.length === 0) continue
        const taxes_whole_total = recent.overtaxed >= TOLD_FROM
        const whose = { device: device.label, device_id: device.id, company: company.name, company_id: company.id }
        const detail = { ...whose, mode: company.mode, codes, taxes_whole_total }
        found.push({ tenantId: device.tenantId, kind: 'sale_findings', subject: device.id, detail })
      }
      known = read
      return { found }
    },
  }
}

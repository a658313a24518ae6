import type { Mode } from '../../domain/sale/sale.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'

/** What keeps machines from selling, and what to do about it. */
export interface BlockerText {
  /** Whose problem it is: the name of a company, the label of a device, or a part of this gateway. */
  subject: string
  problem: string
  fix: string
}

/** A problem as found here: what it is, for whoever tells it in other words, and whose. */
export interface Blocker extends BlockerText {
  cause: BlockerCause
  companyId?: string
  deviceId?: string
  mode?: Mode
  /** Of devices that are not named one by one. */
  count?: number
}

export type BlockerCause =
  | 'disk_full'
  | 'no_writes'
  | 'no_company'
  | 'no_trust'
  | 'company_inactive'
  | 'certificate_missing'
  | 'certificate_revoked'
  | 'certificate_of_other_oib'
  | 'certificate_early'
  | 'certificate_expired'
  | 'certificate_untrusted'
  | 'key_unreadable'
  | 'numbers_used_up'
  | 'no_device'
  | 'device_archived'
  | 'device_suspended'
  | 'isu_missing'
  | 'isu_mismatch'

/** The advice for what belongs to a tenant: `fisk` works for the default one unless told. */
export function forTenant(tenantId: string, fix: string): string {
  return tenantId === DEFAULT_TENANT ? fix : fix.replace(/\bfisk (?=[a-z])/g, `fisk --tenant ${tenantId} `)
}

/** Of the active devices. */
export interface DeviceCounts {
  total: number
  withoutIsu: number
  /** Nothing known would keep a sale of theirs from being taken and from getting its JIR. */
  able: number
}

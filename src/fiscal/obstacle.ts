import { DEFAULT_TENANT } from './store-port.ts'

/** What keeps machines from selling, and what to do about it. */
export interface Problem {
  /** Whose problem it is: the name of a company, the label of a device, or a part of this gateway. */
  subject: string
  problem: string
  fix: string
}

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

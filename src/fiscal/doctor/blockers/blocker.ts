import type { BlockerCause, BlockerValues } from '../../../domain/texts/blocker-texts.ts'
import { DEFAULT_TENANT } from '../../ports/rows/access.ts'

/** A problem that prevents machines from selling, and how to fix it. */
export interface BlockerText {
  subject: string
  problem: string
  fix: string
}

/** A problem with its cause, for translation, and the objects it concerns. */
export interface Blocker extends BlockerText, BlockerValues {
  cause: BlockerCause
  companyId?: string
  deviceId?: string
  /** With `companyId`: only machines of these premises are concerned, and of this register mark, if there is one. */
  premises?: { code: string; register: string | null }
}

/** The fix with the right tenant: `fisk` works for the default tenant unless another one is given. */
export function forTenant(tenantId: string, fix: string): string {
  return tenantId === DEFAULT_TENANT ? fix : fix.replace(/\bfisk (?=[a-z])/g, `fisk --tenant ${tenantId} `)
}

/** Counts of active devices. */
export interface DeviceCounts {
  total: number
  withoutIsu: number
  /** Devices without a known problem that would prevent a sale or its JIR. */
  able: number
}

import type { Logger } from 'pino'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Attempt } from '../../fiscal/sales/submit.ts'

const DAY_MS = 86_400_000

/** Writes into the log that a service signs with SHA-1: once a day for each mode, however many sales there are. */
export function createSha1Notice(elapsed: () => number, log: () => Pick<Logger, 'warn'>): (attempt: Attempt) => void {
  const saidAt = new Map<Mode, number>()
  return ({ mode, signature }) => {
    if (signature !== 'rsa-sha1') return
    const before = saidAt.get(mode)
    if (before !== undefined && elapsed() - before < DAY_MS) return
    saidAt.set(mode, elapsed())
    log().warn(
      { mode, signature },
      'the tax authority signs its answers with SHA-1: they are believed as long as FISKD_CIS_SHA1_ANSWERS is accept',
    )
  }
}

import type { Logger } from 'pino'
import type { Issued } from '../../fiscal/numbering/lost-sales.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { ListenState } from '../../fiscal/ports/machine.ts'
import { createExpiry } from '../../fiscal/sales/expire.ts'
import { createLiveSales } from '../../fiscal/sales/live-sales.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import type { Machine } from '../host/machine.ts'
import { createDiskWatch } from '../lifecycle/disk-watch.ts'
import { currentLog } from '../lifecycle/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { RunningClock } from './clocks.ts'

export interface ServiceDeps {
  config: Config
  store: OpenStore
  vault: Vault
  clock: RunningClock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  /** What the clock of this machine shows, right or wrong. */
  shown: () => number
  processLog: Logger
  newUuid: () => string
  newInvoiceId: () => string
  /** What was issued, compared with the database. */
  issued: Issued
  metrics: Metrics
  host: Machine
  /** Where callers are meant to reach the daemon, and whether they do. */
  listened: () => readonly ListenState[]
}

export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export type Base = ReturnType<typeof baseOf>

export function baseOf(deps: ServiceDeps) {
  const { config, store, clock, processLog } = deps
  const log: Log = {
    info: (facts, message) => currentLog(processLog).info(facts, message),
    warn: (facts, message) => currentLog(processLog).warn(facts, message),
    error: (facts, message) => currentLog(processLog).error(facts, message),
  }
  const expire = createExpiry({
    store,
    invoiceLock: store.invoiceLock,
    clock,
    onExpired: ({ id }) => log.error({ invoiceId: id }, 'an invoice is past its deadline: it can never be fiscalized'),
  })
  return {
    ...deps,
    /** The log of the request or the pass under way, or else of the process. */
    log,
    lookAtDisk: createDiskWatch(config.dataDir, config.diskFloorBytes, processLog),
    liveSales: createLiveSales(),
    /** Updates statuses that change by time alone. Failures are only logged: reads work on a disk that takes no writes. */
    expireOverdue: () => expire().catch((error: unknown) => log.error({ err: error }, 'nothing could be expired')),
  }
}

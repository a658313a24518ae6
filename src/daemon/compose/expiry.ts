import type { Logger } from 'pino'
import { createExpiry } from '../../fiscal/sales/expire.ts'
import type { OpenStore } from '../../store/store.ts'
import type { RunningClock } from './clocks.ts'

export interface ExpiryDeps {
  store: OpenStore
  clock: RunningClock
  log: () => Pick<Logger, 'error'>
}

/** Updates statuses that change by time alone. Failures are only logged: reads work on a disk that takes no writes. */
export function composeExpiry({ store, clock, log }: ExpiryDeps): () => Promise<void> {
  const expire = createExpiry({
    store,
    invoiceLock: store.invoiceLock,
    clock,
    onExpired: ({ id }) =>
      log().error({ invoiceId: id }, 'an invoice is past its deadline: it can never be fiscalized'),
  })
  return () => expire().catch((error: unknown) => log().error({ err: error }, 'nothing could be expired'))
}

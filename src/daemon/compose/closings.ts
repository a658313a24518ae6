import type { Logger } from 'pino'
import { createPeriodClosing, type PeriodClosing } from '../../fiscal/closings/close-period.ts'
import { type ClosingUseCases, createClosings } from '../../fiscal/closings/closings.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { RunningClock } from './clocks.ts'

export interface ClosingDeps {
  store: Store
  clock: RunningClock
  log: () => Pick<Logger, 'error'>
  newUuid: () => string
}

/** Closings of days and months. */
export interface Closings {
  useCases: ClosingUseCases
  periods: PeriodClosing
}

export function composeClosings({ store, clock, log, newUuid }: ClosingDeps): Closings {
  const periods = createPeriodClosing({ store, clock, newUuid })
  const onFault = (error: unknown) => log().error({ err: error }, 'closing a period failed: close it again')
  return { periods, useCases: createClosings({ store, clock, newUuid, periods, onFault }) }
}

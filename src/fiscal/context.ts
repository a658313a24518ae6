import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'

/** What every use case may work with. A room that needs more extends it. */
export interface Context {
  store: Store
  clock: Clock
}

/** For use cases that store something new. */
export interface CreatingContext extends Context {
  newUuid: () => string
}

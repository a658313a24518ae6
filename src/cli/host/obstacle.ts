import type { Both } from '../../domain/texts/both.ts'
/** What keeps the daemon from starting, as it can be seen from outside. */
export interface Obstacle {
  detail: Both
  /** What to type, before the service is started again. */
  fix: Both
}

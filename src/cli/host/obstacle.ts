/** What keeps the daemon from starting, as it can be seen from outside. */
export interface Obstacle {
  detail: string
  /** What to type, before the service is started again. */
  fix: string
}

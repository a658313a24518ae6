import type { Both } from '../../domain/texts/both.ts'

/** A step to the service failed. */
export class NotReached extends Error {
  /** What the problem is. */
  readonly said: Both
  /** What to do about it. */
  readonly fix: Both

  constructor(said: Both, fix: Both) {
    super(said.en)
    this.said = said
    this.fix = fix
  }
}

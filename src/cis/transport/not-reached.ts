/** Ends the way to the service. The message says what is in the way, for people. */
export class NotReached extends Error {
  /** What to do about it. */
  readonly fix: string

  constructor(problem: string, fix: string) {
    super(problem)
    this.fix = fix
  }
}

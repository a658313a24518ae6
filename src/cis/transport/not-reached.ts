/** A step to the service failed. The message says for people what the problem is. */
export class NotReached extends Error {
  /** What to do about it. */
  readonly fix: string

  constructor(problem: string, fix: string) {
    super(problem)
    this.fix = fix
  }
}

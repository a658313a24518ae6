/** Why something cannot be done here, and what to type or do about it. */
export class Obstacle extends Error {
  readonly fix: string

  constructor(problem: string, fix: string, options?: ErrorOptions) {
    super(problem, options)
    this.name = 'Obstacle'
    this.fix = fix
  }
}

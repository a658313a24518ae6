import type { Both } from '../../domain/texts/both.ts'

/** What a step says that has waited for so long. */
export const noAnswer = (timeoutMs: number): Both => ({
  en: `no answer within ${timeoutMs / 1000} seconds`,
  hr: `nema odgovora ${timeoutMs / 1000} s`,
})

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

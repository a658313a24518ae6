import type { Both } from '../../domain/texts/both.ts'

export const noAnswer = (timeoutMs: number): Both => ({
  en: `no answer within ${timeoutMs / 1000} seconds`,
  hr: `nema odgovora ${timeoutMs / 1000} s`,
})

export class NotReached extends Error {
  readonly said: Both
  readonly fix: Both

  constructor(said: Both, fix: Both) {
    super(said.en)
    this.said = said
    this.fix = fix
  }
}

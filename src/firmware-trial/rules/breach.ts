import type { Attempt, Evidence, Sale } from '../evidence.ts'
import type { RuleName } from './catalogue.ts'

export interface Breach {
  rule: RuleName
  sale: Sale | null
  /** What was seen, as a sentence. */
  seen: string
  attempts: readonly Attempt[]
}

/** Looks at one scenario for what it is about; what follows from another rule's breach is no breach of its own. */
export type Judge = (evidence: Evidence) => Breach[]

/** Looks at each sale for itself. */
export const bySale =
  (judge: (evidence: Evidence, sale: Sale, n: number) => Breach[]): Judge =>
  (evidence) =>
    evidence.sales.flatMap((sale, n) => judge(evidence, sale, n))

/** Milliseconds for people. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export const pairsOf = (attempts: readonly Attempt[]): [Attempt, Attempt][] =>
  attempts.slice(1).map((next, n) => [attempts[n] as Attempt, next])

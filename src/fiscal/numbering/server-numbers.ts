import { premisesKey } from '../ports/gateways.ts'
import type { SeenNumber } from '../ports/rows/numbering.ts'
import type { StatedNumber } from './stated-number.ts'
import { type NumberFacts, type WantedNumbers, wantedNumbers } from './wanted-numbers.ts'

/** What a server has seen: every number was given out, and the level is that of the premises. */
export function seenFacts(seen: readonly SeenNumber[]): Pick<NumberFacts, 'elsewhere' | 'levels'> {
  return {
    elsewhere: seen.map(({ level: _level, ...sequence }) => ({ ...sequence, used: sequence.highest })),
    levels: seen.flatMap(({ level, highest: _h, register: _r, ...premises }) =>
      level === null ? [] : [{ ...premises, level }],
    ),
  }
}

/** Combines the numbers of a backup with those of its central server. */
export function withServerNumbers(facts: NumberFacts, seen: readonly SeenNumber[]): NumberFacts {
  const known = new Set(facts.companies.map(({ id }) => id))
  const added = [...new Set(seen.map(({ companyId }) => companyId))].filter((id) => !known.has(id))
  const { elsewhere, levels } = seenFacts(seen)
  return {
    ...facts,
    companies: [...facts.companies, ...added.map((id) => ({ id, oib: id, mode: 'test' as const, fiscalConfig: {} }))],
    elsewhere: [...facts.elsewhere, ...elsewhere],
    levels: [...facts.levels, ...levels],
  }
}

/**
 * The server's numbers as statements, as of an operator: it has received every sale of its premises.
 * @param byHand the operator's statements, which take precedence
 */
export function statedByServer(
  facts: NumberFacts,
  seen: readonly SeenNumber[],
  byHand: readonly StatedNumber[],
): StatedNumber[] {
  const premises = new Set(seen.map(premisesKey))
  return wantedNumbers(facts)
    .filter((wanted) => premises.has(premisesKey(wanted)))
    .filter((wanted) => !byHand.some((stated) => isAbout(stated, wanted)))
    .map(({ oib, mode, premisesCode, year, register, sequences }) => {
      const known = sequences.flatMap(({ highest, elsewhere }) => [highest, elsewhere])
      const highest = known.reduce((most, one) => (one > most ? one : most), 0n)
      return {
        text: `the central server, of ${premisesCode}@${year}`,
        oib,
        mode,
        premisesCode,
        year,
        register,
        highest,
      }
    })
}

/** Whether a statement is about these numbers; what it leaves open matches every value. */
export function isAbout(
  stated: StatedNumber,
  { oib, companyId, mode, premisesCode, year, register }: WantedNumbers,
): boolean {
  const matches = (said: unknown, ...values: unknown[]) => said === null || values.includes(said)
  return (
    stated.premisesCode === premisesCode &&
    matches(stated.oib, oib, companyId) &&
    matches(stated.mode, mode) &&
    matches(stated.year, year) &&
    matches(stated.register, register)
  )
}

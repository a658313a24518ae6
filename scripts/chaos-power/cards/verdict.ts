import { groupBy } from '../../chaos/compare.ts'
import type { Finding } from '../../chaos/judge.ts'
import type { Sale } from '../../chaos/sale.ts'
import type { CardOutcome } from './run.ts'

/** What was true, and the promises that were broken. */
export interface CardVerdict {
  truth: string
  broken: string[]
}

/** What a card that lies must break, whoever sells on it: an answer of the lost time stands nowhere any more. */
const OF_LOST_TIME: readonly Finding['check'][] = ['stored', 'numbers', 'zki', 'jir', 'keys', 'sales', 'final']

export function verdictOf({ card, sales, findings, doctorAfter, listed }: CardOutcome): CardVerdict {
  const answered = sales.filter(({ seen }) => seen.length > 0).length
  const expected = card.lies ? OF_LOST_TIME : []
  const broken = findings
    .filter(({ check, problems }) => problems.length > 0 && !expected.includes(check))
    .map(({ promise, problems }) => `${promise}: not so ${problems.length} times, such as: ${problems[0]}`)
  if (!card.lies) {
    return {
      truth: `${answered} answered, ${listed} listed; ${broken.length === 0 ? 'nothing lost, doubled or invented' : 'BROKEN'}`,
      broken,
    }
  }
  const lost = findings.find(({ check }) => check === 'stored')?.problems.length ?? 0
  const twice = numbersTwice(sales)
  const told = doctorAfter.some((problem) => problem.includes('has lost some of them'))
  if (lost === 0) broken.push('the card lied about nothing: this run proves nothing')
  if (card.server && twice.length > 0)
    broken.push(`numbers that the server knew were given out twice: ${twice.join(', ')}`)
  if (card.server && !told) broken.push('the doctor does not say what the card has lost')
  const numbers = twice.length === 0 ? 'no number given out twice' : `numbers given out twice: ${twice.join(', ')}`
  return { truth: `${answered} answered, ${listed} listed; ${lost} answers lost by the card; ${numbers}`, broken }
}

/** Numbers that two sales of one premises were told. */
function numbersTwice(sales: readonly Sale[]): string[] {
  const told = sales.flatMap(({ seen, key, machine }) =>
    seen.map(({ number }) => ({ key, name: `${number}/${machine.premisesCode}` })),
  )
  const groups = groupBy(told, ({ name }) => name)
  return [...groups].filter(([, of]) => new Set(of.map(({ key }) => key)).size > 1).map(([name]) => name)
}

import { say } from '../../chaos/arguments.ts'
import type { Told } from '../../chaos/report.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { tick } from '../../chaos/wait.ts'
import type { PowerOptions } from '../options.ts'
import { type CardOutcome, runCase } from './run.ts'
import { verdictOf } from './verdict.ts'

/** Sells on one bad card after another. */
export async function badCards(options: PowerOptions, dist: string, scratch: Scratch): Promise<Told[]> {
  const promises: Told[] = []
  for (const card of options.cards) {
    const began = tick()
    const outcome = await runCase(card, { dist, seed: options.seed }, scratch)
    const { truth, broken } = verdictOf(outcome)
    for (const line of linesOf(outcome, truth)) say(line)
    say(`            in ${Math.round((tick() - began) / 1000)} s`)
    promises.push({ looked: outcome.sales.length, promise: `sales on a card that ${card.what}`, problems: broken })
  }
  return promises
}

function linesOf({ card, told, slowestMs, ends, status, doctor, doctorAfter }: CardOutcome, truth: string): string[] {
  const answers = [...told].map(([what, count]) => `${count} times ${what}`).join(', ')
  return [
    '',
    `a card that ${card.what}`,
    `    caller  ${answers}; the longest time without an answer ${(slowestMs / 1000).toFixed(1)} s`,
    `    daemon  ended by itself ${ends} times`,
    `    status  ${inWords(status)}`,
    `    doctor  ${inWords(doctor)}`,
    `    after   ${inWords(doctorAfter)}`,
    `    true    ${truth}`,
  ]
}

const inWords = (problems: readonly string[]) => (problems.length === 0 ? 'nothing' : problems.join(' | '))

import { runBuilt, say, UsageError } from '../chaos/arguments.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { tick } from '../chaos/wait.ts'
import { obstacleToMounts } from '../machine/mounted-disk.ts'
import { type CardOptions, HELP, readOptions } from './options.ts'
import { type CardOutcome, runCase } from './run.ts'
import { type CardVerdict, verdictOf } from './verdict.ts'

/** @returns the exit code */
async function attempt(options: CardOptions, scratch: Scratch): Promise<number> {
  const obstacle = obstacleToMounts()
  if (obstacle !== null) throw new UsageError(`no card can be mounted here: ${obstacle}`)
  say(`bad cards: ${options.cases.map(({ name }) => name).join(', ')}; --seed ${options.seed}`)
  let broken = 0
  for (const card of options.cases) {
    const began = tick()
    const outcome = await runCase(card, options, scratch)
    const verdict = verdictOf(outcome)
    for (const line of row(outcome, verdict)) say(line)
    say(`            in ${Math.round((tick() - began) / 1000)} s`)
    broken += verdict.broken.length
  }
  say(broken === 0 ? 'no promise was broken' : `${broken} promises were broken; --seed ${options.seed}`)
  return broken === 0 ? 0 : 1
}

function row(outcome: CardOutcome, { truth, broken }: CardVerdict): string[] {
  const { card, told, slowestMs, ends, status, doctor, doctorAfter } = outcome
  const answers = [...told].map(([what, count]) => `${count} times ${what}`).join(', ')
  return [
    '',
    `${broken.length === 0 ? 'ok  ' : 'FAIL'} a card that ${card.what}`,
    `    caller  ${answers}; the longest time without an answer ${(slowestMs / 1000).toFixed(1)} s`,
    `    daemon  ended by itself ${ends} times`,
    `    status  ${inWords(status)}`,
    `    doctor  ${inWords(doctor)}`,
    `    after   ${inWords(doctorAfter)}`,
    `    true    ${truth}`,
    ...broken.map((one) => `    BROKEN  ${one}`),
  ]
}

const inWords = (problems: readonly string[]) => (problems.length === 0 ? 'nothing' : problems.join(' | '))

await runBuilt(HELP, readOptions, attempt)

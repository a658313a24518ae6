import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Check } from 'typebox/schema'
import { type TrialOrder, TrialOrderSchema } from '../contract/reports/firmware-trial.ts'
import { escapeControls, withoutControls } from '../domain/control-characters.ts'
import { personAt } from './firmware/by-hand.ts'
import { junitOf } from './report/junit.ts'
import { countText, resultText, verdictText } from './report/text.ts'
import { RULES } from './rules/catalogue.ts'
import { AT_ONCE, runTrial } from './run-trial.ts'
import { SCENARIOS } from './scenarios/list.ts'
import { isForHands, type Scenario } from './scenarios/scenario.ts'

const SET_UP_S = 8

const print = (text: string) => void process.stdout.write(escapeControls(text))

for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.once(signal, () => process.exit(128 + number))
}

const order: unknown = JSON.parse(process.argv[2] ?? 'null')
if (!Check(TrialOrderSchema, order)) throw new Error('`fisk firmware-trial` starts this program')
process.exitCode = await main(order).catch((error: Error) => {
  process.stderr.write(escapeControls(`The trial did not work: ${error.message}\n`))
  return 2
})

/** @returns 0 passed, 1 a rule failed, 2 wrong use */
async function main(order: TrialOrder): Promise<number> {
  if (order.list) {
    list(order)
    return 0
  }
  const unknown = order.scenarios.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    process.stderr.write(`There is no scenario ${unknown}: see \`fisk firmware-trial --list\`.\n`)
    return 2
  }
  const byHand = order.command === null
  const wanted = SCENARIOS.filter(({ name }) => order.scenarios.length === 0 || order.scenarios.includes(name)).filter(
    (scenario) => !byHand || isForHands(scenario),
  )
  const chosen = wanted.filter(({ needs }) => needs === undefined || isThere(needs))
  for (const { name, needs } of wanted)
    if (needs && !isThere(needs)) process.stderr.write(`${name} is left out: it needs the program ${needs}.\n`)
  if (wanted.length === 0) {
    process.stderr.write('A person cannot play this scenario with a machine: see docs/firmware-trial.md, By hand.\n')
    return 2
  }
  if (chosen.length === 0) return 2
  const isLoud = !order.json
  const time = byHand ? '' : `, about ${secondsFor(chosen, order)} s`
  if (isLoud) print(`${countText(chosen.length)}${time}.\n\n`)
  let done = 0
  const person = byHand ? personAt(process.stdin, process.stdout) : null
  const report = await runTrial(order, chosen, {
    person,
    onEnd(result) {
      done++
      if (isLoud) print(resultText(result))
      if (order.progress) process.stderr.write(done < chosen.length ? `${done} of ${chosen.length}\r` : '')
    },
    onLine(scenario, line) {
      if (order.verbose) process.stderr.write(`${scenario.name}: ${withoutControls(line)}\n`)
    },
  })
  person?.close()
  if (order.junit !== null) await writeFile(order.junit, junitOf(report))
  print(isLoud ? verdictText(report) : `${JSON.stringify(report, null, 2)}\n`)
  return report.passed ? 0 : 1
}

// No constant: `main` runs before this line.
function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

function list({ json }: TrialOrder): void {
  const rows = SCENARIOS.map(({ name, title, seconds }) => ({ name, title, seconds }))
  if (json) {
    print(`${JSON.stringify({ object: 'list', data: rows, has_more: false, next_cursor: null }, null, 2)}\n`)
    return
  }
  const rules = Object.entries(RULES).map(([name, { expected, section }]) => ({
    name,
    title: `${expected} (#${section})`,
  }))
  const textOf = (all: typeof rules) => all.map(({ name, title }) => `${name.padEnd(25)} ${title}\n`).join('')
  print(`${textOf(rows)}\nRules, by the sections of docs/firmware.md:\n\n${textOf(rules)}`)
}

function secondsFor(scenarios: readonly Scenario[], { listen }: TrialOrder): number {
  const all = scenarios.reduce((sum, { seconds }) => sum + seconds, 0)
  const longest = Math.max(0, ...scenarios.map(({ seconds }) => seconds))
  return Math.round(SET_UP_S + (listen ? all : Math.max(longest, all / AT_ONCE)))
}

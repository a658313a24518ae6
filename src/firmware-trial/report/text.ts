import type { Finding, ScenarioResult, TrialReport } from '../../contract/reports/firmware-trial.ts'
import { withoutControls } from '../../domain/control-characters.ts'

/** Of many requests that are alike, and of the ids of one finding. */
const SHOWN_OF_RUN = 2
const SHOWN_IDS = 5

export function resultText(result: ScenarioResult): string {
  const { name, title, passed, not_judged: why, findings, requests, log } = result
  const word = isLeftOpen(result) ? 'OPEN' : passed ? 'ok  ' : 'FAIL'
  const head = `${word}  ${name.padEnd(24)} ${title}\n${isLeftOpen(result) ? `      not judged: ${why}\n` : ''}`
  if (passed) return head
  const trail = trailOf(requests)
  const said = log.slice(-5).map((line) => `        | ${withoutControls(line)}\n`)
  return [
    head,
    ...findings.map(findingText),
    ...(trail.length > 0 ? ['      What the firmware sent:\n', ...trail] : []),
    ...(said.length > 0 ? ['      Its log:\n', ...said] : []),
  ].join('')
}

const isLeftOpen = ({ passed, not_judged }: ScenarioResult) => passed && not_judged !== null

type Request = ScenarioResult['requests'][number]

function lineOf({ at_ms, sale, method, path, status, request_id, note }: Request): string {
  const time = (at_ms / 1000).toFixed(1).padStart(5)
  const about = note === '' ? '' : `  (${note})`
  return `        ${time} s  sale ${sale ?? '-'}  ${method} ${path}  ${status ?? 'no answer'}  ${request_id}${about}\n`
}

const isLike = (one: Request, other: Request) =>
  lineOf({ ...one, at_ms: 0, request_id: '' }) === lineOf({ ...other, at_ms: 0, request_id: '' })

/** A line for each request; of many that differ in time and id only, the first ones and the last. */
function trailOf(requests: readonly Request[]): string[] {
  const runs: Request[][] = []
  for (const request of requests) {
    const run = runs.at(-1)
    if (run?.[0] && isLike(run[0], request)) run.push(request)
    else runs.push([request])
  }
  return runs.flatMap((run) => {
    const folded = run.length - SHOWN_OF_RUN - 1
    if (folded < 2) return run.map(lineOf)
    const [first, last] = [run.slice(0, SHOWN_OF_RUN), run.slice(-1)]
    return [...first.map(lineOf), `          ... ${folded} more like these\n`, ...last.map(lineOf)]
  })
}

export function findingText({ rule, sale, expected, seen, document, chapter, request_ids }: Finding): string {
  const about = sale === null ? '' : ` (sale ${sale})`
  const rest = request_ids.length > SHOWN_IDS ? ` (the first ${SHOWN_IDS} of ${request_ids.length})` : ''
  const shown = request_ids.slice(0, SHOWN_IDS).join(', ')
  const ids = request_ids.length === 0 ? '' : `        Requests: ${shown}${rest}\n`
  return (
    `      ${rule}${about}\n        Expected: ${expected}\n        Seen:     ${seen}\n` +
    `        Read:     ${document} (chapter: ${chapter})\n${ids}`
  )
}

export const countText = (count: number): string => `${count} scenario${count === 1 ? '' : 's'}`

export function verdictText({ passed, scenarios, duration_ms }: TrialReport): string {
  const failed = scenarios.filter((scenario) => !scenario.passed)
  const seconds = Math.round(duration_ms / 1000)
  const open = scenarios.filter(isLeftOpen).map(({ name }) => name)
  const all = scenarios.length === 1 ? 'the scenario' : `all of ${countText(scenarios.length)}`
  const how = open.length > 0 ? `${scenarios.length - open.length} of ${countText(scenarios.length)}` : all
  const left = open.length > 0 ? `Not judged: ${open.join(' ')}\n` : ''
  if (passed) return `\nThe firmware passed ${how} in ${seconds} s.\n${left}${adviceText(scenarios)}`
  const names = failed.map(({ name }) => name).join(' ')
  return `\nThe firmware failed ${failed.length} of ${countText(scenarios.length)} in ${seconds} s.\nTry again: --scenario ${names}\n${adviceText(scenarios)}`
}

/** What many scenarios may have, once. */
function adviceText(scenarios: readonly ScenarioResult[]): string {
  const found = new Map(scenarios.flatMap(({ advice }) => advice).map(({ code, text }) => [code, text]))
  if (found.size === 0) return ''
  const lines = [...found]
    .sort()
    .map(([code, text]) => `  ${code}  ${text}\n`)
    .join('')
  return `\nAdvice: these sales are valid, but the tax authority would find:\n${lines}  Read:  docs/firmware.md#findings\n`
}

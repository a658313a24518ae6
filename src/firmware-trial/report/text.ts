import type { Finding, ScenarioResult, TrialReport } from '../../contract/reports/firmware-trial.ts'
import { withoutControls } from '../../domain/control-characters.ts'

/** One scenario, as it ends. */
export function resultText({ name, title, passed, findings, requests, log }: ScenarioResult): string {
  const head = `${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(24)} ${title}\n`
  if (passed) return head
  const trail = requests.map(
    ({ at_ms, sale, method, path, status, request_id, note }) =>
      `        ${(at_ms / 1000).toFixed(1).padStart(5)} s  sale ${sale ?? '-'}  ${method} ${path}  ${status ?? 'no answer'}  ${request_id}` +
      `${note === '' ? '' : `  (${note})`}\n`,
  )
  const said = log.slice(-5).map((line) => `        | ${withoutControls(line)}\n`)
  return [
    head,
    ...findings.map(findingText),
    ...(trail.length > 0 ? ['      What the firmware sent:\n', ...trail] : []),
    ...(said.length > 0 ? ['      Its log:\n', ...said] : []),
  ].join('')
}

/** One broken rule. */
export function findingText({ rule, sale, expected, seen, document, chapter, request_ids }: Finding): string {
  const about = sale === null ? '' : ` (sale ${sale})`
  const ids = request_ids.length === 0 ? '' : `        Requests: ${request_ids.join(', ')}\n`
  return (
    `      ${rule}${about}\n        Expected: ${expected}\n        Seen:     ${seen}\n` +
    `        Read:     ${document}; ${chapter}\n${ids}`
  )
}

/** The last line. */
export function verdictText({ passed, scenarios, duration_ms }: TrialReport): string {
  const failed = scenarios.filter((scenario) => !scenario.passed)
  const seconds = Math.round(duration_ms / 1000)
  if (passed) return `\nThe firmware passed all of ${scenarios.length} scenarios in ${seconds} s.\n`
  const names = failed.map(({ name }) => name).join(' ')
  return `\nThe firmware failed ${failed.length} of ${scenarios.length} scenarios in ${seconds} s.\nTry again: --scenario ${names}\n`
}

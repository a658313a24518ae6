import type { ScenarioResult, TrialReport } from '../../contract/reports/firmware-trial.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import { findingText } from './text.ts'

/** The report as JUnit XML, as CI servers read it: one test case for each scenario. */
export function junitOf({ scenarios, duration_ms, started_at }: TrialReport): string {
  const failed = scenarios.filter(({ passed }) => !passed).length
  const skipped = scenarios.filter(({ passed, not_judged }) => passed && not_judged !== null).length
  const counts = `tests="${scenarios.length}" failures="${failed}" errors="0"`
  const time = `time="${secondsOf(duration_ms)}"`
  const stamp = `timestamp="${started_at.slice(0, 19)}"`
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts} ${time}>\n` +
    `  <testsuite name="fisk firmware-trial" ${counts} skipped="${skipped}" ${time} ${stamp} hostname="localhost">\n` +
    `${scenarios.map(caseOf).join('')}  </testsuite>\n</testsuites>\n`
  )
}

function caseOf({ name, title, not_judged: why, duration_ms, findings, log }: ScenarioResult): string {
  const open = `    <testcase classname="firmware-trial" name="${escaped(`${name}: ${title}`)}" time="${secondsOf(duration_ms)}"`
  if (findings.length === 0) {
    return why === null ? `${open}/>\n` : `${open}>\n      <skipped message="${escaped(why)}"/>\n    </testcase>\n`
  }
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(', ')
  const text = findings.map(findingText).join('')
  const said = log.length === 0 ? '' : `      <system-out>${escaped(log.join('\n'))}</system-out>\n`
  return `${open}>\n      <failure type="rule" message="${escaped(rules)}">${escaped(text)}</failure>\n${said}    </testcase>\n`
}

const secondsOf = (ms: number) => (ms / 1000).toFixed(3)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** What a firmware prints may hold anything. */
function escaped(text: string): string {
  const allowed = isXmlText(text) ? text : [...text].map((letter) => (isXmlText(letter) ? letter : '?')).join('')
  return allowed.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
}

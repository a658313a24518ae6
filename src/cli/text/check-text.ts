import type { DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { columns, paragraph } from './columns.ts'

/** Names of companies stand in names of checks, and are as long as they like: what is longer gets a line of its own. */
const WIDEST_NAME = 28

const COLOURS = { ok: 32, warn: 33, fail: 31, skip: 36 }

/** What was found, as a table of 80 columns: state, name, what it is and what to do. */
export function checksText(checks: DiagnosisView['checks'], colour = false, todoLabel = 'Fix'): string {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...checks.map(({ name }) => columns(name))))
  const rows = checks.map(({ name, status, detail, fix }) => {
    const lead = `${status.padEnd(4)}  `
    const beside = `${lead}${name}${' '.repeat(Math.max(0, width - columns(name)))}  `
    const below = ' '.repeat(columns(lead) + width + 2)
    const isWide = columns(name) > width
    const found = isWide ? paragraph(lead, name) + paragraph(below, detail) : paragraph(beside, detail)
    const todo = fix === null ? '' : paragraph(`${below}${todoLabel}: `, fix)
    return (colour ? found.replace(status, `\u001b[${COLOURS[status]}m${status}\u001b[0m`) : found) + todo
  })
  return rows.join('')
}

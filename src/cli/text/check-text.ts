import type { DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { croatianCheck } from '../../domain/check-texts/croatian-check.ts'
import { translate } from '../words/translate.ts'
import { columns, paragraph } from './columns.ts'
import type { Screen } from './screen.ts'

/** Names of companies stand in names of checks, and are as long as they like: what is longer gets a line of its own. */
const WIDEST_NAME = 28

/** Beyond what the doctor of the daemon says, what `fisk` itself says of a daemon that does not answer. */
function croatian<T extends DiagnosisView['checks'][number]>(check: T): T {
  const { name, detail, fix } = croatianCheck(check)
  // The doctor's own words come first: texts of other commands are looser.
  const other = (text: string, original: string | null) => (text === original ? translate(text, 'hr') : text)
  return { ...check, name, detail: other(detail, check.detail), fix: fix === null ? null : other(fix, check.fix) }
}

const COLOURS = { ok: 32, warn: 33, fail: 31, skip: 36 }

/** What was found, as a table: state, name, what it is and what to do. */
export function checksText(found: DiagnosisView['checks'], screen: Screen): string {
  const checks = screen.language === 'hr' ? found.map(croatian) : found
  const width = Math.min(WIDEST_NAME, Math.max(0, ...checks.map(({ name }) => columns(name))))
  const widest = Math.max(...Object.keys(COLOURS).map((status) => translate(status, screen.language).length))
  // Names of companies and machines stand in them, which are no words of ours.
  const line = (first: string, text: string) => paragraph(first, text, { ...screen, language: 'en' })
  const rows = checks.map(({ name, status, detail, fix }) => {
    const word = translate(status, screen.language)
    const lead = `${word.padEnd(widest)}  `
    const beside = `${lead}${name}${' '.repeat(Math.max(0, width - columns(name)))}  `
    const below = ' '.repeat(columns(lead) + width + 2)
    const isWide = columns(name) > width
    const shown = isWide ? line(lead, name) + line(below, detail) : line(beside, detail)
    const todo = fix === null ? '' : line(`${below}${translate('Fix:', screen.language)} `, fix)
    return (screen.colour ? shown.replace(word, `\u001b[${COLOURS[status]}m${word}\u001b[0m`) : shown) + todo
  })
  return rows.join('')
}

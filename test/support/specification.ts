import { readFileSync } from 'node:fs'
import { inProject } from './stand-in.ts'

interface Row {
  /** The heading above, with the number of the table where it has several. */
  table: string
  cells: string[]
}

/**
 * The name of every row of every table of the specification: `heading | first cell`, with as many of the next cells as
 * tell it from the other rows of its table. A heading with several tables numbers them: `Invoice 2 | company_id`.
 */
export function specificationRows(): string[] {
  const lines = readFileSync(inProject('docs/spec/interface.md'), 'utf8').split('\n')
  const rows: Row[] = []
  const tables = new Map<string, number>()
  let heading = ''
  lines.forEach((line, i) => {
    if (line.startsWith('#')) heading = plain(line.replace(/^#+ /, '').replace(/ \(.*/, ''))
    if (!line.startsWith('|') || isRule(line)) return
    if (isRule(lines[i + 1] ?? '')) tables.set(heading, (tables.get(heading) ?? 0) + 1)
    else rows.push({ table: `${heading} ${tables.get(heading)}`, cells: cellsOf(line) })
  })
  return rows.map((row) => {
    const [name = ''] = row.cells
      .map((_, i) => nameOf(row, i + 1))
      .filter((name, i) => {
        const alike = rows.filter((other) => other.table === row.table && nameOf(other, i + 1) === name)
        return alike.length === 1
      })
    const isAlone = tables.get(row.table.replace(/ \d+$/, '')) === 1
    return isAlone ? name.replace(/ 1 \|/, ' |') : name
  })
}

function nameOf({ table, cells }: Row, width: number): string {
  return `${table} | ${cells.slice(0, width).join(' | ')}`
}

function isRule(line: string): boolean {
  return /^\|[-|]+\|$/.test(line)
}

/** `\|` is a character of a cell. */
function cellsOf(line: string): string[] {
  return line.replaceAll('\\|', '¦').split('|').slice(1, -1).map(plain)
}

function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll('¦', '|').trim()
}

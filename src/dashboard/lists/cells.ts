import { type Cents, formatMoney } from '../../domain/money.ts'
import type { Cell } from '../../reports/tables/cells.ts'
import type { Formats } from '../formats.ts'

export interface Badge {
  kind: 'ok' | 'warn' | 'bad' | 'plain'
  text: string
}

/** A cell of a page that is more than a value. */
export interface Shown {
  text?: string
  /** Where the text leads; it is no link for a reader who may not open that. */
  href?: string | null
  /** Keeps the focus where it is when the rows are read anew. */
  id?: string
  /** The shape of a state. */
  dot?: 'ok' | 'bad' | 'warn' | 'off' | 'unknown' | null
  tone?: 'bad' | 'warn'
  /** Beside the text, in a quieter colour. */
  more?: string | null
  /** The same on a phone alone. */
  phone?: string | null
  pills?: readonly (Badge | null | false)[]
  change?: { from: string | null; to: string | null }
  spark?: string
  /** A form of one button. */
  button?: { action: string; text: string; label: string; confirm?: string; danger?: true }
}

/** A state in a cell: its shape and its word. */
export const stateCell = ({ kind, text }: Badge): Shown => ({
  ...{ text, dot: kind === 'plain' ? 'off' : kind },
  ...((kind === 'bad' || kind === 'warn') && { tone: kind }),
})

export function shownIn(f: Formats): (cell: Cell | Shown) => Shown {
  return (cell) => {
    if (cell === null || typeof cell === 'string') return { text: cell ?? '' }
    const text = valueIn(f, cell)
    return text === undefined ? (cell as Shown) : { text }
  }
}

function valueIn(f: Formats, cell: Exclude<Cell, string | null> | Shown): string | undefined {
  if ('money' in cell) return f.money(formatMoney(cell.money))
  if ('count' in cell) return f.count(cell.count)
  if ('rate' in cell) return `${cell.rate} %`
  if ('day' in cell) return f.date(cell.day)
  if ('clock' in cell) return f.clock(cell.clock)
  return 'moment' in cell ? f.time(cell.moment) : undefined
}

/** In pixels: from the left, from the top to the ground, and from there to the highest point. */
const [STEP, GROUND, HEIGHT] = [6, 18, 16n]

/** The path of a small chart: a point for each day. */
export function sparkOf(amounts: readonly Cents[]): string {
  const most = amounts.reduce((one, other) => (one > other ? one : other), 1n)
  const points = amounts.map((cents, i) => `${i * STEP} ${GROUND - Math.max(0, Number((cents * HEIGHT) / most))}`)
  return `M${points.join('L')}`
}

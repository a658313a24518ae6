import { type ChartSize, type ChartText, chart, type Plot, round, type Slot } from './svg.ts'

export interface Bar extends Slot {
  /** Null where nothing is known, such as of hours to come: a gap. What is known to be zero is a line on the ground. */
  value: number | null
  /** What it is compared with, as a mark across the bar; null for none. */
  before: number | null
  /** Whether more may come, as today. */
  isUnfinished?: boolean
}

/** A bar for each place, with a mark of what it is compared with. */
export function barChart(text: ChartText, bars: readonly Bar[], size: ChartSize = { width: 480, height: 200 }): string {
  const most = Math.max(1, ...bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  return chart(text, size, bars, most, (plot, { value, before, isUnfinished }, place) => {
    if (value === null && before === null) return null
    const now = value === null ? '' : bar(plot, place, Math.max(0, value), isUnfinished)
    return now + (before === null ? '' : mark(plot, place, before))
  })
}

/** At least one pixel high. */
function bar(plot: Plot, place: number, value: number, isUnfinished = false): string {
  const [left, width] = [round(plot.x(place) + plot.slot * 0.19), round(plot.slot * 0.62)]
  const [ground, height] = [plot.y(0), Math.max(1, round(plot.y(0) - plot.y(value)))]
  const kind = isUnfinished ? `class="today" fill="${plot.unfinished}"` : 'class="bar"'
  return `<path ${kind} d="M${left} ${ground}v-${height}h${width}v${height}z"/>`
}

const mark = (plot: Plot, place: number, value: number) =>
  `<path class="usual" d="M${round(plot.x(place) + plot.slot * 0.1)} ${plot.y(Math.max(0, value))}h${round(plot.slot * 0.8)}"/>`

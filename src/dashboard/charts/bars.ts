import { type ChartText, chart, type Plot, round, type Slot } from './svg.ts'

export interface Bar extends Slot {
  /** Null where nothing is known, such as of hours to come: a gap. What is known to be zero is a line on the ground. */
  value: number | null
  /** Of the same place in the period before, as a mark across the bar; null for none. */
  before: number | null
}

/** A bar for each place, with a mark where it was in the period before. */
export function barChart(text: ChartText, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  return chart(text, bars, most, (plot, { value, before }, place) => {
    if (value === null && before === null) return null
    const now = value === null ? '' : bar(plot, place, Math.max(0, value))
    return now + (before === null ? '' : mark(plot, place, before))
  })
}

/** At least one pixel high. */
function bar(plot: Plot, place: number, value: number): string {
  const [left, width] = [round(plot.x(place) + plot.slot * 0.12), round(plot.slot * 0.76)]
  const [ground, height] = [plot.y(0), Math.max(1, round(plot.y(0) - plot.y(value)))]
  return `<path class="bar" d="M${left} ${ground}v-${height}h${width}v${height}z"/>`
}

function mark(plot: Plot, place: number, value: number): string {
  const y = plot.y(Math.max(0, value))
  return `<line class="usual" x1="${plot.x(place)}" x2="${round(plot.x(place) + plot.slot)}" y1="${y}" y2="${y}"/>`
}

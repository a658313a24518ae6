import { box } from './bars.ts'
import { type ChartText, chart, type Plot, round } from './svg.ts'

export interface ComparedBar {
  /** Below it; null for nothing. */
  tick: string | null
  /** What it says when it is pointed at. */
  says: string
  /** Null where nothing is known, such as of hours to come: a gap. What is known to be zero is a line on the ground. */
  value: number | null
  /** Of the same place in the period before, as a mark across the bar; null for none. */
  before: number | null
}

/** A bar for each place, with a mark where it was in the period before. */
export function comparedChart(text: ChartText, bars: readonly ComparedBar[]): string {
  const ticks = bars.map(({ tick }) => tick)
  const most = Math.max(1, ...bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  return chart(text, ticks, most, (plot, place) => {
    const { says, value, before } = bars[place] as ComparedBar
    if (value === null && before === null) return null
    const now = value === null ? '' : box(plot, place, 0, Math.max(0, value))
    return { says, shapes: now + (before === null ? '' : mark(plot, place, before)) }
  })
}

function mark(plot: Plot, place: number, value: number): string {
  const y = plot.y(Math.max(0, value))
  return `<line class="before" x1="${plot.x(place)}" x2="${round(plot.x(place) + plot.slot)}" y1="${y}" y2="${y}"/>`
}

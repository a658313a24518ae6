import { type ChartText, chart, type Plot, round, type Slot } from './svg.ts'

export interface Bar extends Slot {
  whole: number
  /** The lower part of the whole, filled; the rest is hollow, so that the difference does not depend on colours. */
  part: number
}

/** A bar for each slot, in two parts. */
export function barChart(text: ChartText, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ whole }) => whole))
  return chart(text, bars, most, (plot, { whole, part }, index) => {
    if (whole === 0) return null
    const filled = part > 0 ? box(plot, index, 0, part) : ''
    const hollow = whole > part ? box(plot, index, part, whole, ' class="missing"') : ''
    return filled + hollow
  })
}

/** From one value up to another one. A value above zero is at least one pixel high. */
function box(plot: Plot, index: number, low: number, high: number, attributes = ' class="full"'): string {
  const [left, width] = [round(plot.x(index) + plot.slot * 0.12), round(plot.slot * 0.76)]
  const [bottom, height] = [plot.y(low), Math.max(1, round(plot.y(low) - plot.y(high)))]
  return `<path${attributes} d="M${left} ${bottom}v-${height}h${width}v${height}z"/>`
}

export interface ComparedBar extends Slot {
  /** Null where nothing is known, such as of hours to come: a gap. What is known to be zero is a line on the ground. */
  value: number | null
  /** Of the same place in the period before, as a mark across the bar; null for none. */
  before: number | null
}

/** A bar for each place, with a mark where it was in the period before. */
export function comparedChart(text: ChartText, bars: readonly ComparedBar[]): string {
  const most = Math.max(1, ...bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  return chart(text, bars, most, (plot, { value, before }, place) => {
    if (value === null && before === null) return null
    const now = value === null ? '' : box(plot, place, 0, Math.max(0, value))
    return now + (before === null ? '' : mark(plot, place, before))
  })
}

function mark(plot: Plot, place: number, value: number): string {
  const y = plot.y(Math.max(0, value))
  return `<line class="before" x1="${plot.x(place)}" x2="${round(plot.x(place) + plot.slot)}" y1="${y}" y2="${y}"/>`
}

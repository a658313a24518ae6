import { type ChartText, chart, type Plot, round } from './svg.ts'

export interface Bar {
  /** Below it; null for nothing. */
  tick: string | null
  /** What it says when it is pointed at. */
  says: string
  whole: number
  /** The lower part of the whole, filled; the rest is hollow, so that the difference does not depend on colours. */
  part: number
}

/** A bar for each place, in two parts. */
export function barChart(text: ChartText, bars: readonly Bar[]): string {
  const ticks = bars.map(({ tick }) => tick)
  const most = Math.max(1, ...bars.map(({ whole }) => whole))
  return chart(text, ticks, most, (plot, place) => {
    const { says, whole, part } = bars[place] as Bar
    if (whole === 0) return null
    const filled = part > 0 ? box(plot, place, 0, part) : ''
    const hollow = whole > part ? box(plot, place, part, whole, ' class="missing"') : ''
    return { says, shapes: filled + hollow }
  })
}

/** From one value up to another one. A value above zero is at least one pixel high. */
export function box(plot: Plot, place: number, low: number, high: number, attributes = ' class="full"'): string {
  const [left, width] = [round(plot.x(place) + plot.slot * 0.12), round(plot.slot * 0.76)]
  const [bottom, height] = [plot.y(low), Math.max(1, round(plot.y(low) - plot.y(high)))]
  return `<path${attributes} d="M${left} ${bottom}v-${height}h${width}v${height}z"/>`
}

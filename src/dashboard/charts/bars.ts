import { type ChartText, chart, escaped, type Plot, round } from './svg.ts'

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
  return chart(text, ticks, most, (plot) => {
    const drawn = bars.map((bar, place) => barAt(plot, place, bar))
    return `<g class="bars">${drawn.join('')}</g>`
  })
}

function barAt(plot: Plot, place: number, { says, whole, part }: Bar): string {
  if (whole === 0) return ''
  const [left, width] = [round(plot.x(place) + plot.slot * 0.12), round(plot.slot * 0.76)]
  const box = (low: number, high: number) => {
    // A value above zero is at least one pixel high.
    const [bottom, height] = [plot.y(low), Math.max(1, round(plot.y(low) - plot.y(high)))]
    return `d="M${left} ${bottom}v-${height}h${width}v${height}z"`
  }
  const filled = part > 0 ? `<path ${box(0, part)}/>` : ''
  const hollow = whole > part ? `<path class="missing" ${box(part, whole)}/>` : ''
  return `<g><title>${escaped(says)}</title>${filled}${hollow}</g>`
}

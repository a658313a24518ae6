import { type ChartText, chart, escaped, type Plot, round } from './svg.ts'

export interface Point {
  /** Below it; null for nothing. */
  tick: string | null
  /** What it says when it is pointed at. */
  says: string
  /** One for each line; null where there is nothing to draw. */
  values: readonly (number | null)[]
}

/** Lines over places, the first one whole, the others broken; where a value is missing a line has a gap. */
export function lineChart(text: ChartText, points: readonly Point[]): string {
  const ticks = points.map(({ tick }) => tick)
  const most = Math.max(1, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const lines = Math.max(0, ...points.map(({ values }) => values.length))
  return chart(text, ticks, most, (plot) => {
    const drawn = Array.from({ length: lines }, (_, line) => lineOf(plot, points, line))
    return drawn.join('') + points.map((point, place) => dotsAt(plot, place, point)).join('')
  })
}

const middleOf = (plot: Plot, place: number) => round(plot.x(place) + plot.slot / 2)
const otherThan = (line: number) => (line === 0 ? '' : ' other')

function lineOf(plot: Plot, points: readonly Point[], line: number): string {
  let [path, isDrawing] = ['', false]
  for (const [place, { values }] of points.entries()) {
    const value = values[line] ?? null
    if (value !== null) path += `${isDrawing ? 'L' : 'M'}${middleOf(plot, place)} ${plot.y(value)}`
    isDrawing = value !== null
  }
  return path === '' ? '' : `<path class="stroke${otherThan(line)}" d="${path}"/>`
}

function dotsAt(plot: Plot, place: number, { says, values }: Point): string {
  const dots = values.map((value, line) =>
    value === null
      ? ''
      : `<circle class="dot${otherThan(line)}" cx="${middleOf(plot, place)}" cy="${plot.y(value)}" r="3"/>`,
  )
  return dots.every((dot) => dot === '') ? '' : `<g><title>${escaped(says)}</title>${dots.join('')}</g>`
}

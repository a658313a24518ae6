import { type ChartText, chart, type Plot, round } from './svg.ts'

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
  const lined = (plot: Plot) => Array.from({ length: lines }, (_, line) => lineOf(plot, points, line)).join('')
  const draw = (plot: Plot, place: number) => {
    const { says, values } = points[place] as Point
    return values.every((value) => value === null) ? null : { says, shapes: dotsAt(plot, place, values) }
  }
  return chart(text, ticks, most, draw, lined)
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

function dotsAt(plot: Plot, place: number, values: Point['values']): string {
  const dots = values.map((value, line) =>
    value === null
      ? ''
      : `<circle class="dot${otherThan(line)}" cx="${middleOf(plot, place)}" cy="${plot.y(value)}" r="3"/>`,
  )
  return dots.join('')
}

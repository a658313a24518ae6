import { type ChartText, chart, type Plot, round, type Slot } from './svg.ts'

export interface Point extends Slot {
  /** One for each line; null where there is nothing to draw. */
  values: readonly (number | null)[]
}

/** Lines over places, the first one whole, the others broken; where a value is missing a line has a gap. */
export function lineChart(text: ChartText, points: readonly Point[]): string {
  const most = Math.max(1, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const lines = Math.max(0, ...points.map(({ values }) => values.length))
  const lined = (plot: Plot) => Array.from({ length: lines }, (_, line) => lineOf(plot, points, line)).join('')
  const draw = (plot: Plot, { values }: Point, index: number) =>
    values.every((value) => value === null) ? null : dotsAt(plot, index, values)
  return chart(text, points, most, draw, lined)
}

const middleOf = (plot: Plot, index: number) => round(plot.x(index) + plot.slot / 2)
const otherThan = (line: number) => (line === 0 ? '' : ' other')

function lineOf(plot: Plot, points: readonly Point[], line: number): string {
  let [path, isDrawing] = ['', false]
  for (const [index, { values }] of points.entries()) {
    const value = values[line] ?? null
    if (value !== null) path += `${isDrawing ? 'L' : 'M'}${middleOf(plot, index)} ${plot.y(value)}`
    isDrawing = value !== null
  }
  return path === '' ? '' : `<path class="stroke${otherThan(line)}" d="${path}"/>`
}

function dotsAt(plot: Plot, index: number, values: Point['values']): string {
  const dots = values.map((value, line) =>
    value === null
      ? ''
      : `<circle class="dot${otherThan(line)}" cx="${middleOf(plot, index)}" cy="${plot.y(value)}" r="3"/>`,
  )
  return dots.join('')
}

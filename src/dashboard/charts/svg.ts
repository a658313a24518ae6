import { escaped } from '../../domain/texts/escaped.ts'

/** How large a chart is drawn; it is shown as wide as there is room. */
const WIDTH = 480
const HEIGHT = 200
const RIGHT = 6
/** Above the drawing: here stands what the slot under the pointer says. */
const TOP = 24
const BELOW = 26
const GRID_LINES = 4
/** About as wide as a sign is in the size of the style sheet. */
const SIGN = 8

export interface ChartText {
  /** Unique on its page; letters and hyphens. */
  id: string
  title: string
  /** What it shows, in a sentence or two, for screen readers. */
  summary: string
  /** A value as the axis says it. */
  axis(value: number): string
}

/** Where things are drawn. */
export interface Plot {
  /** The left end of a slot, counted from 0. */
  x(index: number): number
  /** How wide a slot is. */
  slot: number
  y(value: number): number
  bottom: number
}

/** A place of a chart. */
export interface Slot {
  /** Below it; null for nothing. */
  tick: string | null
  /** What it says when it is pointed at. */
  says: string
}

/**
 * A chart as SVG: grid, axes and what `draw` makes of the slots. Colours come from the style sheet.
 * @param draw null where there is nothing to draw
 */
export function chart<S extends Slot>(
  { id, title, summary, axis }: ChartText,
  slots: readonly S[],
  most: number,
  draw: (plot: Plot, slot: S, index: number) => string | null,
): string {
  const top = niceTop(most)
  const values = Array.from({ length: GRID_LINES + 1 }, (_, i) => (top / GRID_LINES) * i)
  const left = Math.max(...values.map((value) => axis(value).length)) * SIGN + 12
  const slot = (WIDTH - left - RIGHT) / Math.max(1, slots.length)
  const bottom = HEIGHT - BELOW
  const plot: Plot = {
    x: (index) => round(left + index * slot),
    slot,
    y: (value) => round(bottom - ((bottom - TOP) * value) / top),
    bottom,
  }
  const grid = values.map(
    (value) =>
      `<line class="grid" x1="${left}" x2="${WIDTH - RIGHT}" y1="${plot.y(value)}" y2="${plot.y(value)}"/>` +
      `<text x="${left - 6}" y="${plot.y(value) + 4}" text-anchor="end">${escaped(axis(value))}</text>`,
  )
  const labels = slots.map(({ tick }, index) =>
    tick === null ? '' : textAt(plot.x(index) + slot / 2, HEIGHT - 8, tick),
  )
  const places = slots.map((one, index) => placed(plot, index, one.says, draw(plot, one, index)))
  return (
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-summary">` +
    `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-summary">${escaped(summary)}</desc>` +
    `${grid.join('')}${labels.join('')}${places.join('')}</svg>`
  )
}

/** The whole height of a slot answers the pointer. */
function placed(plot: Plot, index: number, says: string, shapes: string | null): string {
  if (shapes === null) return ''
  const [x, width] = [plot.x(index), round(plot.slot)]
  const hit = `<rect class="hit" x="${x}" y="${TOP}" width="${width}" height="${plot.bottom - TOP}"/>`
  return `<g class="day">${hit}${shapes}${textAt(x + width / 2, TOP - 9, says, ' class="tip"')}</g>`
}

/** In the middle of `x`, or as near to it as nothing is cut off. */
function textAt(x: number, y: number, text: string, attributes = ''): string {
  const half = (text.length * SIGN) / 2
  const [at, anchor] = x + half > WIDTH ? [WIDTH - 1, 'end'] : x - half < 0 ? [1, 'start'] : [round(x), 'middle']
  return `<text${attributes} x="${at}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`
}

/** The next of 4, 8, 12, 16, 20, 24, 32, 40, 80 ...: of each the grid has whole numbers. */
export function niceTop(most: number): number {
  for (let unit = 1; ; unit *= 10) {
    const nice = [4, 8, 12, 16, 20, 24, 32].map((factor) => factor * unit).find((top) => top >= most)
    if (nice !== undefined) return nice
  }
}

export const round = (value: number) => Math.round(value * 10) / 10

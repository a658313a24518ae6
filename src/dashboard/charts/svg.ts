import { escaped } from '../../domain/texts/escaped.ts'

const RIGHT = 6
/** Above the drawing: here stands what the slot under the pointer says. */
const TOP = 20
const BELOW = 24
const GRID_LINES = 4
/** About as wide as a sign is in the size of the style sheet. */
const SIGN = 7

/** How large it is drawn; it is shown as wide as there is room. */
export interface ChartSize {
  width: number
  height: number
}

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
  /** The fill of what is not finished. */
  unfinished: string
}

/** A place of a chart. */
export interface Slot {
  /** Below it; null for nothing. */
  tick: string | null
  /** What it says when it is pointed at. */
  says: string
  /** What it leads to. */
  href?: string | null
  /** Whether its ground is darker, such as of a weekend. */
  isShaded?: boolean
}

/**
 * A chart as SVG: grid, axes and what `draw` makes of the slots. Colours come from the style sheet.
 * @param draw null where there is nothing to draw
 */
export function chart<S extends Slot>(
  { id, title, summary, axis }: ChartText,
  { width, height }: ChartSize,
  slots: readonly S[],
  most: number,
  draw: (plot: Plot, slot: S, index: number) => string | null,
): string {
  const top = niceTop(most)
  const values = Array.from({ length: GRID_LINES + 1 }, (_, i) => (top / GRID_LINES) * i)
  const left = Math.max(...values.map((value) => axis(value).length)) * SIGN + 12
  const slot = (width - left - RIGHT) / Math.max(1, slots.length)
  const bottom = height - BELOW
  const plot: Plot = {
    x: (index) => round(left + index * slot),
    slot,
    y: (value) => round(bottom - ((bottom - TOP) * value) / top),
    unfinished: `url(#${id}-unfinished)`,
  }
  const grid = values.map(
    (value) =>
      `<path class="grid" d="M${left} ${plot.y(value)}H${width - RIGHT}"/>` +
      `<text x="${left - 6}" y="${plot.y(value) + 4}" text-anchor="end">${escaped(axis(value))}</text>`,
  )
  const places = slots.map((one, index) => {
    const [x, middle] = [plot.x(index), plot.x(index) + slot / 2]
    const column = `x="${x}" y="${TOP}" width="${round(slot)}" height="${bottom - TOP}"/>`
    const shade = one.isShaded ? `<rect class="band-day" ${column}` : ''
    const tick = one.tick === null ? '' : textAt(middle, height - 8, one.tick, width)
    const shapes = draw(plot, one, index)
    if (shapes === null) return shade + tick
    const says = textAt(middle, TOP - 8, one.says, width, ' class="tip"')
    const day = `<g class="day"><rect class="hit" ${column}${shapes}${says}</g>`
    return shade + tick + (one.href ? `<a href="${escaped(one.href)}" tabindex="-1">${day}</a>` : day)
  })
  return (
    `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-summary">` +
    `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-summary">${escaped(summary)}</desc>` +
    `<defs><pattern id="${id}-unfinished" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path class="hatch" d="M1 0v5"/></pattern></defs>${grid.join('')}${places.join('')}</svg>`
  )
}

/** In the middle of `x`, or as near to it as nothing is cut off. */
function textAt(x: number, y: number, text: string, width: number, attributes = ''): string {
  const half = (text.length * SIGN) / 2
  const [at, anchor] = x + half > width ? [width - 1, 'end'] : x - half < 0 ? [1, 'start'] : [round(x), 'middle']
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

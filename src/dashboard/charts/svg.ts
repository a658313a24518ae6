/** How large a chart is drawn; it is shown as wide as its place is. */
const WIDTH = 480
const HEIGHT = 190
const LEFT = 64
const RIGHT = 6
const TOP = 10
const BELOW = 26
const GRID_LINES = 4

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
  /** The left end of a place, counted from 0. */
  x(place: number): number
  /** How wide a place is. */
  slot: number
  y(value: number): number
  bottom: number
}

/**
 * A chart as SVG: grid, axes and what `draw` makes of the places. Colours come from the style sheet.
 * @param ticks what stands below a place; null for nothing
 */
export function chart(
  { id, title, summary, axis }: ChartText,
  ticks: readonly (string | null)[],
  most: number,
  draw: (plot: Plot) => string,
): string {
  const top = niceTop(most)
  const slot = (WIDTH - LEFT - RIGHT) / Math.max(1, ticks.length)
  const bottom = HEIGHT - BELOW
  const plot: Plot = {
    x: (place) => round(LEFT + place * slot),
    slot,
    y: (value) => round(bottom - ((bottom - TOP) * value) / top),
    bottom,
  }
  const grid = Array.from({ length: GRID_LINES + 1 }, (_, i) => {
    const value = (top / GRID_LINES) * i
    return (
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${plot.y(value)}" y2="${plot.y(value)}"/>` +
      `<text x="${LEFT - 6}" y="${plot.y(value) + 4}" text-anchor="end">${escaped(axis(value))}</text>`
    )
  })
  const below = ticks.map((tick, place) =>
    tick === null
      ? ''
      : `<text x="${round(plot.x(place) + slot / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(tick)}</text>`,
  )
  return (
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-summary">` +
    `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-summary">${escaped(summary)}</desc>` +
    `${grid.join('')}${below.join('')}${draw(plot)}</svg>`
  )
}

/** The next of 4, 8, 12, 16, 20, 24, 32, 40, 80 ...: of each the grid has whole numbers. */
export function niceTop(most: number): number {
  for (let unit = 1; ; unit *= 10) {
    const nice = [4, 8, 12, 16, 20, 24, 32].map((factor) => factor * unit).find((top) => top >= most)
    if (nice !== undefined) return nice
  }
}

export const round = (value: number) => Math.round(value * 10) / 10

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)

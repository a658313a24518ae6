import { escaped } from '../../domain/texts/letter-html.ts'

const RIGHT = 6
/** Above the drawing: here stands what the slot under the pointer says. */
const TOP = 20
const BELOW = 24
const GRID_LINES = 4
/** About as wide as a sign is in the size of the style sheet. */
const SIGN = 7

export interface ChartText {
  /** Unique on its page; letters and hyphens. */
  id: string
  title: string
  /** What it shows, in a sentence or two, for screen readers. */
  summary: string
  axis(value: number): string
}

export interface Bar {
  /** Below it; null for nothing. */
  tick: string | null
  says: string
  href?: string | null
  /** Whether its ground is darker, such as of a weekend. */
  isShaded?: boolean
  /** Null where nothing is known, such as of hours to come: a gap. What is known to be zero is a line on the ground. */
  value: number | null
  /** What it is compared with, as a mark across the bar; null for none. */
  before: number | null
  /** Whether more may come, as today. */
  isUnfinished?: boolean
}

const DESK = { width: 760, height: 200 }
const PHONE = { width: 358, height: 180 }
/** Of which a phone has room for a bar each. */
export const DAYS_ON_PHONE = 14

/** Drawn for a desk, and for a phone with as many of the last bars as have room there. */
export function barCharts({ id, ...text }: ChartText, bars: readonly Bar[], onPhone: number) {
  return {
    svg: barChart({ ...text, id: `${id}-chart` }, bars, DESK),
    phone: barChart({ ...text, id: `${id}-phone` }, bars.slice(-onPhone), PHONE),
  }
}

/**
 * A chart as SVG for those who see, and what it shows in words: grid, axes, and a bar for each place with a mark of what it is compared with. Colours come from the style sheet.
 * @param size how large it is drawn; it is shown as wide as there is room
 */
function barChart(
  { id, title, summary, axis }: ChartText,
  bars: readonly Bar[],
  { width, height }: typeof DESK,
): string {
  const top = niceTop(Math.max(1, ...bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0])))
  const values = Array.from({ length: GRID_LINES + 1 }, (_, i) => (top / GRID_LINES) * i)
  const left = Math.max(...values.map((value) => axis(value).length)) * SIGN + 12
  const slot = (width - left - RIGHT) / Math.max(1, bars.length)
  const bottom = height - BELOW
  const yOf = (value: number) => round(bottom - ((bottom - TOP) * value) / top)
  const grid = values.map(
    (value) =>
      `<path class="grid" d="M${left} ${yOf(value)}H${width - RIGHT}"/>` +
      `<text x="${left - 6}" y="${yOf(value) + 4}" text-anchor="end">${escaped(axis(value))}</text>`,
  )
  const places = bars.map(({ tick, says, href, isShaded, value, before, isUnfinished }, index) => {
    const x = round(left + index * slot)
    const column = `x="${x}" y="${TOP}" width="${round(slot)}" height="${bottom - TOP}"/>`
    const ground =
      (isShaded ? `<rect class="band-day" ${column}` : '') +
      (tick === null ? '' : textAt(x + slot / 2, height - 8, tick, width))
    if (value === null && before === null) return ground
    const kind = isUnfinished ? `class="today" fill="url(#${id}-unfinished)"` : 'class="bar"'
    // At least one pixel high.
    const high = Math.max(1, round(bottom - yOf(Math.max(0, value ?? 0))))
    const bar = `<path ${kind} d="M${round(x + slot * 0.19)} ${bottom}v-${high}h${round(slot * 0.62)}v${high}z"/>`
    const markAt = `${round(x + slot * 0.1)} ${yOf(Math.max(0, before ?? 0))}`
    const mark = `<path class="usual" d="M${markAt}h${round(slot * 0.8)}"/>`
    const shapes = `${value === null ? '' : bar}${before === null ? '' : mark}`
    const pointedAt = textAt(x + slot / 2, TOP - 8, says, width, ' class="tip"')
    const day = `<g class="day"><rect class="hit" ${column}${shapes}${pointedAt}</g>`
    return ground + (href ? `<a href="${escaped(href)}" tabindex="-1">${day}</a>` : day)
  })
  return (
    `<p class="vh">${escaped(title)}. ${escaped(summary)}</p>` +
    `<svg class="chart" viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
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

const round = (value: number) => Math.round(value * 10) / 10

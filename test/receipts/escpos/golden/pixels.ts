import { PNG } from 'pngjs'

/** Black and white, as printers print. */
export interface Pixels {
  width: number
  height: number
  black(x: number, y: number): boolean
}

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export function read(png: Uint8Array): Pixels {
  const { width, height, data } = PNG.sync.read(Buffer.from(png))
  return { width, height, black: (x, y) => (data[(y * width + x) * 4] ?? 255) < 128 }
}

/** Whether two PNGs are the same to the dot, however they are packed. */
export function isSamePicture(a: Buffer | undefined, b: Buffer | undefined): boolean {
  if (!a || !b) return false
  if (a.equals(b)) return true
  const [here, there] = [read(a), read(b)]
  return here.width === there.width && here.height === there.height && isSameDrawing(here, there)
}

/** Whether the same dots are black, whatever is blank around them. */
export function isSameDrawing(a: Pixels, b: Pixels): boolean {
  const [here, there] = [a, b].map((one) =>
    blackBox(one, { left: 0, top: 0, width: one.width, height: one.height }),
  ) as [Box, Box]
  if (here.width !== there.width || here.height !== there.height) return false
  for (let y = 0; y < here.height; y += 1) {
    for (let x = 0; x < here.width; x += 1) {
      if (a.black(here.left + x, here.top + y) !== b.black(there.left + x, there.top + y)) return false
    }
  }
  return true
}

/**
 * The QR code, and the blank dots around it on each side: no line of text has so many rows with something black in each.
 * What stands beside a code is further away than any letters of a text from each other.
 */
export function qrBox(pixels: Pixels): Box & { quiet: number } {
  const blankRow = (y: number) => isBlank(pixels, { left: 0, top: y, width: pixels.width, height: 1 })
  const runs: { top: number; rows: number; blank: boolean }[] = []
  for (let y = 0; y < pixels.height; y += 1) {
    const run = runs.at(-1)
    const blank = blankRow(y)
    if (run?.blank === blank) run.rows += 1
    else runs.push({ top: y, rows: 1, blank })
  }
  const tallest = Math.max(...runs.filter(({ blank }) => !blank).map(({ rows }) => rows))
  const { top = 0 } = runs.find(({ rows, blank }) => rows === tallest && !blank) ?? {}
  const { left, width } = blackBox(pixels, { left: 0, top, width: pixels.width, height: tallest })
  let side = 0
  while (side < width && !isBlank(pixels, { left: left + side, top, width: BESIDE, height: tallest })) side += 1
  const box = blackBox(pixels, { left, top, width: side, height: Math.min(side, tallest) })
  return { ...box, quiet: quietOf(pixels, box) }
}

const BESIDE = 14

/** How far nothing black is around a box, at most to the edge of what the head can print on. */
function quietOf(pixels: Pixels, { left, top, width, height }: Box): number {
  for (let far = 1; ; far += 1) {
    const frame = { left: left - far, top: top - far, width: width + 2 * far, height: height + 2 * far }
    const sides = [
      { ...frame, height: 1 },
      { ...frame, top: top + height + far - 1, height: 1 },
      { ...frame, width: 1 },
      { ...frame, left: left + width + far - 1, width: 1 },
    ]
    const isInside = frame.left >= 0 && frame.top >= 0 && frame.left + frame.width <= pixels.width
    if (!isInside || frame.top + frame.height > pixels.height) return far - 1
    if (sides.some((side) => !isBlank(pixels, side))) return far - 1
  }
}

function isBlank({ black }: Pixels, { left, top, width, height }: Box): boolean {
  for (let y = top; y < top + height; y += 1) for (let x = left; x < left + width; x += 1) if (black(x, y)) return false
  return true
}

function blackBox({ black }: Pixels, area: Box): Box {
  let [left, right, first, last] = [area.left + area.width, -1, area.top + area.height, -1]
  for (let y = area.top; y < area.top + area.height; y += 1) {
    for (let x = area.left; x < area.left + area.width; x += 1) {
      if (!black(x, y)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      first = Math.min(first, y)
      last = y
    }
  }
  return { left, top: first, width: right - left + 1, height: last - first + 1 }
}

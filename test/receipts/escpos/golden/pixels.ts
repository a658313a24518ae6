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
  const [here, there] = [blackBox(a, 0, a.height), blackBox(b, 0, b.height)]
  if (here.width !== there.width || here.height !== there.height) return false
  for (let y = 0; y < here.height; y += 1) {
    for (let x = 0; x < here.width; x += 1) {
      if (a.black(here.left + x, here.top + y) !== b.black(there.left + x, there.top + y)) return false
    }
  }
  return true
}

/** The QR code: no line of text has so many rows with something black in each. And the blank rows around it. */
export function qrBox(pixels: Pixels): Box & { above: number; below: number; beside: number } {
  const isBlank = (y: number) => {
    for (let x = 0; x < pixels.width; x += 1) if (pixels.black(x, y)) return false
    return true
  }
  const runs: { top: number; rows: number; blank: boolean }[] = []
  for (let y = 0; y < pixels.height; y += 1) {
    const run = runs.at(-1)
    const blank = isBlank(y)
    if (run?.blank === blank) run.rows += 1
    else runs.push({ top: y, rows: 1, blank })
  }
  const tallest = Math.max(...runs.filter(({ blank }) => !blank).map(({ rows }) => rows))
  const index = runs.findIndex(({ rows, blank }) => rows === tallest && !blank)
  const box = blackBox(pixels, runs[index]?.top ?? 0, tallest)
  const beside = Math.min(box.left, pixels.width - box.left - box.width)
  return { ...box, above: runs[index - 1]?.rows ?? 0, below: runs[index + 1]?.rows ?? 0, beside }
}

function blackBox({ width, black }: Pixels, top: number, rows: number): Box {
  let [left, right, first, last] = [width, -1, top + rows, -1]
  for (let y = top; y < top + rows; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!black(x, y)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      first = Math.min(first, y)
      last = y
    }
  }
  return { left, top: first, width: right - left + 1, height: last - first + 1 }
}

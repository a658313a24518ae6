/** A picture in shades of gray, row by row: 0 is black, 255 white. */
export interface Gray {
  width: number
  height: number
  shades: Uint8Array
}

/** The picture in another size: each new dot is the mean of what it covers. */
export function scaled(picture: Gray, width: number, height: number): Gray {
  if (width === picture.width && height === picture.height) return picture
  const columns = sharesOf(picture.width, width)
  const rows = sharesOf(picture.height, height)
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [sum, area] = [0, 0]
      for (const { at: row, share: high } of rows[y] ?? []) {
        for (const { at: column, share: wide } of columns[x] ?? []) {
          sum += high * wide * (picture.shades[row * picture.width + column] ?? 0)
          area += high * wide
        }
      }
      shades[y * width + x] = Math.round(sum / area)
    }
  }
  return { width, height, shades }
}

/** For each new dot the old ones that it covers, and how much of each. */
function sharesOf(from: number, to: number): { at: number; share: number }[][] {
  const size = from / to
  return Array.from({ length: to }, (_, index) => {
    const [start, end] = [index * size, (index + 1) * size]
    const first = Math.floor(start)
    const count = Math.min(from, Math.ceil(end - 1e-9)) - first
    return Array.from({ length: Math.max(1, count) }, (__, offset) => {
      const at = first + offset
      return { at, share: Math.min(end, at + 1) - Math.max(start, at) }
    })
  })
}

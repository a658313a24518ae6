import { PNG } from 'pngjs'

/** A PNG picture that the function draws: red, green, blue and opacity of each dot. */
export function pngOf(
  width: number,
  height: number,
  dot: (x: number, y: number) => readonly [number, number, number, number],
  options: object = {},
): Buffer {
  const png = new PNG({ width, height })
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) png.data.set(dot(x, y), (y * width + x) * 4)
  }
  return PNG.sync.write(png, options)
}

/** A black ring on transparent ground, as logos often are. */
export function ringLogo(width = 400, height = 200): Buffer {
  const isInk = (x: number, y: number) => {
    const distance = Math.hypot((x - width / 2) / width, (y - height / 2) / height)
    return distance < 0.48 && distance > 0.3
  }
  return pngOf(width, height, (x, y) => (isInk(x, y) ? [10, 10, 10, 255] : [255, 0, 0, 0]))
}

/** A cup of coffee that gets darker from left to right, on transparent ground. */
export function cupLogo(): Buffer {
  const [width, height] = [400, 240]
  return pngOf(width, height, (x, y) => {
    const [u, v] = [x - width / 2, y - 90]
    const isBowl = v > 0 && v < 110 && Math.abs(u) < 90 - (v / 110) ** 3 * 50
    const handle = Math.hypot(u - 92, v - 45)
    const isSaucer = Math.hypot(u / 150, (v - 128) / 14) < 1
    const isSteam = v > -75 && v < -15 && [-40, 0, 40].some((at) => Math.abs(u - at - 10 * Math.sin(v / 10)) < 4)
    const isInk = isBowl || (u > 60 && handle > 18 && handle < 32) || isSaucer || isSteam
    const shade = isBowl ? Math.round(120 - u * 1.3) : 0
    return isInk ? [shade, shade, shade, 255] : [0, 0, 0, 0]
  })
}

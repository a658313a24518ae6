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

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** The value below which a share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Of the straight line that fits the points best (least squares). */
export function slope(points: [x: number, y: number][]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const rise = points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0)
  return rise / points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
}

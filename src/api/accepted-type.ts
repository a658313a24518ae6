interface MediaRange {
  type: string
  quality: number
}

/**
 * RFC 9110, 12.5.1: a more specific range decides over `image/*` and that one over any type; of equally wanted types
 * the first offered one counts. @returns undefined when none of the offered types is acceptable
 */
export function acceptedType<Type extends string>(
  header: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  const ranges = (header ?? '').split(',').flatMap(readRange)
  if (ranges.length === 0) return offered[0]
  const wanted = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }))
  const best = Math.max(...wanted.map(({ quality }) => quality))
  return best === 0 ? undefined : wanted.find(({ quality }) => quality === best)?.type
}

/** Only the quality counts. `.2` is no quality by the standard, but clients in Java send it with any type. */
function readRange(text: string): MediaRange[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return []
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const isNumber = quality === undefined || /^(0?\.\d{1,3}|0\.?|1(\.0{0,3})?)$/.test(quality)
  return [{ type, quality: isNumber ? Number(quality ?? 1) : 0 }]
}

function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = ranges.find((one) => one.type === range)
    if (found) return found.quality
  }
  return 0
}

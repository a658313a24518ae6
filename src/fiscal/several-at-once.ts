export interface AtOnce<T, R> {
  /** How many may be under way now. */
  most(): number
  /** Awaited before others are begun. */
  pause(): Promise<void>
  /** Nothing else is begun; what is under way still ends, and is yielded. */
  isOver(): boolean
  /** Chooses up to `most` items to begin with now, and says which others are left for later. */
  choose(items: T[], most: number): Promise<[chosen: T[], rest: T[]]>
  /** Must not throw. */
  work(item: T): Promise<R>
}

/** Works through lists of items, several at once, and yields what came of each as soon as it has ended. */
export async function* severalAtOnce<T, R>(
  lists: AsyncIterable<T[]>,
  { most, pause, isOver, choose, work }: AtOnce<T, R>,
): AsyncGenerator<R> {
  const underWay = new Set<Promise<void>>()
  const ended: R[] = []
  function begin(item: T): void {
    const working: Promise<void> = work(item).then((result) => {
      underWay.delete(working)
      ended.push(result)
    })
    underWay.add(working)
  }

  try {
    for await (let left of lists) {
      while (left.length > 0 && !isOver()) {
        const isFull = underWay.size >= most()
        await (isFull ? Promise.race(underWay) : pause())
        // What has ended meanwhile may change how many may be under way, and whether it is over.
        yield* ended.splice(0)
        const free = most() - underWay.size
        if (isFull || free <= 0 || isOver()) continue
        const [chosen, rest] = await choose(left, free)
        chosen.forEach(begin)
        left = rest
      }
      if (isOver()) break
    }
    while (underWay.size > 0) {
      await Promise.race(underWay)
      yield* ended.splice(0)
    }
  } finally {
    await Promise.all(underWay)
  }
}

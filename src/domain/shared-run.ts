/** Runs work once for several callers: a caller that asks while it is under way gets the same result. */
export function sharedRun<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

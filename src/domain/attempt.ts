/** What the work gives; `otherwise` where it throws, as for a file that is gone or may not be read. */
export function attempt<T, Else>(work: () => T, otherwise: Else): T | Else {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** Whether what was begun comes to a good end. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

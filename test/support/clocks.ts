/** A clock that both modes go by. */
export function forBoth<C extends object>(clock: C): C & { of(): C } {
  return { ...clock, of: () => clock }
}

/** A moment that is relied on. */
export const presentAt = (now: number) => ({ now, earliest: now, latest: now })

/** What somebody told about something; null when nothing. */
export type Told = [name: string, value: string | null]

export function groupBy<T>(list: readonly T[], name: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(name(one))
    if (group) group.push(one)
    else groups.set(name(one), [one])
  }
  return groups
}

/** Names for which more than one value was told. */
export function severalOf(what: string, told: Told[]): string[] {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of told) {
    if (value !== null) values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  return [...values]
    .filter(([, different]) => different.size > 1)
    .map(([name, different]) => `${name} has ${different.size} ${what}: ${[...different].join(' and ')}`)
}

/** What stands in one of two lists only, in words. */
export function differences(shown: string[], stored: string[]): string[] {
  const [left, right] = [new Set(shown), new Set(stored)]
  return [
    ...stored.filter((text) => !left.has(text)).map((text) => `stored, not shown so: ${text}`),
    ...shown.filter((text) => !right.has(text)).map((text) => `shown, not stored so: ${text}`),
  ]
}

/** What a scrape says: the labels of each metric, with the values that they have. */
export type Exposition = Map<string, Map<string, Set<string>>>

/** Reads the text format of Prometheus, of several scrapes together. */
export function readExposition(...texts: string[]): Exposition {
  const found: Exposition = new Map()
  for (const line of texts.join('\n').split('\n')) {
    const [, name, labels = ''] = /^([a-z_][\w:]*)(?:\{(.*)\})? /.exec(line) ?? []
    if (name === undefined) continue
    const known = found.get(name) ?? new Map<string, Set<string>>()
    found.set(name, known)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value))
    }
  }
  return found
}

/** What Prometheus itself adds. */
const ADDED = { metrics: ['up'], labels: ['job', 'instance'] }

const GRAMMAR = new Set(
  'and or unless on ignoring by without group_left group_right bool offset sum min max avg count quantile topk bottomk'.split(
    ' ',
  ),
)

/** What an expression names that no scrape has: metrics, labels, values of labels. */
export function unknownIn(expression: string, known: Exposition): string[] {
  const problems: string[] = []
  const selectors = [...expression.matchAll(/([a-z_]\w*)\s*\{([^}]*)\}/g)]
  const used = new Set<string>()
  for (const [, name = '', matchers = ''] of selectors) {
    const labels = known.get(name)
    used.add(name)
    for (const [, label = '', operator, value = ''] of matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) {
      if (ADDED.labels.includes(label) || ADDED.metrics.includes(name)) continue
      const values = labels?.get(label)
      if (!values) problems.push(`${name} has no label ${label}`)
      const wanted = operator === '=~' || operator === '!~' ? value.split('|') : [value]
      for (const one of wanted) if (values && !values.has(one)) problems.push(`${name} has no ${label}="${one}"`)
    }
  }
  // Without the labels in braces and in the lists of `by`, only functions, grammar and metrics are left.
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  for (const [, word = '', call] of bare.matchAll(/(?<![\w.$])([a-zA-Z_]\w*)(\s*\()?/g)) {
    if (!call && !GRAMMAR.has(word)) used.add(word)
  }
  const all = new Set([...used].flatMap((name) => [...(known.get(name)?.keys() ?? [])]))
  for (const [, list = ''] of expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)) {
    const strange = list
      .split(',')
      .map((label) => label.trim())
      .filter((label) => !ADDED.labels.includes(label) && !all.has(label))
    problems.push(...strange.map((label) => `${[...used].join(', ')}: no label ${label}`))
  }
  return [...[...used].filter((name) => !ADDED.metrics.includes(name) && !known.has(name)), ...problems]
}

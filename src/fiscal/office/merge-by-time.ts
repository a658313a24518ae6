import type { IssuedInvoice } from '../ports/invoice-lookups.ts'

/** Merges slices of sales, each source in order of time, into one sequence of slices in that order. */
export async function* mergeByTime(sources: AsyncGenerator<IssuedInvoice[]>[]): AsyncGenerator<IssuedInvoice[]> {
  const heads: { source: AsyncGenerator<IssuedInvoice[]>; rows: IssuedInvoice[] }[] = []
  for (const source of sources) heads.push({ source, rows: [] })
  let slice: IssuedInvoice[] = []
  for (;;) {
    for (const head of [...heads]) {
      if (head.rows.length > 0) continue
      const { value, done } = await head.source.next()
      if (done) heads.splice(heads.indexOf(head), 1)
      else head.rows = [...value]
    }
    const first = heads.filter(({ rows }) => rows.length > 0).sort((a, b) => byTime(a.rows[0], b.rows[0]))[0]
    if (!first) break
    slice.push(first.rows.shift() as IssuedInvoice)
    if (first.rows.length > 0) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

function byTime(one: IssuedInvoice | undefined, other: IssuedInvoice | undefined): number {
  if (!one || !other) return 0
  return one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1)
}

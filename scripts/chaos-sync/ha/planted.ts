import type { Told } from '../../chaos/report.ts'
import { promisesOfFaults } from './promises.ts'
import type { Case, Outcome } from './run.ts'

/** Defects that the judge has to find in a copy of what a fault has left, by words of the promise that each breaks. */
const DEFECTS: Record<string, (seen: Case) => Partial<Case>> = {
  'loss of an acknowledged sale': ({ load }) => withSale(load, { id: 'inv_nowhere', number: '0' }),
  'told or sent twice': ({ load }) => withSale(load, { id: 'inv_another' }),
  'lacks Retry-After': ({ load }) => ({ load: { ...load, counts: { ...load.counts, unhelpful: ['planted'] } } }),
  'the rows of the gateway': ({ missing }) => ({ missing: [...missing, 'inv_alone'] }),
  'than without a plain write': ({ load, to }) => withSale(load, { at: to + 1e6 }),
  'a health that is well': ({ to, writes, said }) => {
    const moments = { asked: to + 90_000, answered: to + 90_100 }
    return { writes: [...writes, to + 100_000], said: [...said, { who: 'server-1', isDown: false, ...moments }] }
  },
}

/** One more acknowledged sale, which differs from another one by this. */
function withSale(load: Case['load'], other: Partial<Case['load']['sales'][number]['seen'][number]>): Partial<Case> {
  const sold = load.sales.filter(({ seen }) => seen.length > 0).slice(0, 1)
  const more = sold.map((sale) => ({ ...sale, seen: sale.seen.map((one) => ({ ...one, ...other })) }))
  return { load: { ...load, sales: [...load.sales, ...more] } }
}

/** Plants each defect in a copy of what the first fault has left, and asks the judge about it. */
export function plantDefects(outcome: Outcome): Told {
  const [first, ...others] = outcome.cases
  const found = (cases: Case[], words: string) =>
    promisesOfFaults({ ...outcome, cases }).find(({ promise }) => promise.includes(words))?.problems ?? []
  const missed = Object.entries(DEFECTS).filter(([words, plant]) => {
    const usual = found(outcome.cases, words)
    return !first || found([{ ...first, ...plant(first) }, ...others], words).every((one) => usual.includes(one))
  })
  const problems = missed.map(([words]) => `${words}: what was planted was not found`)
  return { looked: Object.keys(DEFECTS).length, promise: 'defects were planted, and each was found', problems }
}

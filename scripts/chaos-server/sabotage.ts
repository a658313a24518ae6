import type { Received } from '../chaos/authority.ts'
import type { Told } from '../chaos/report.ts'
import { ask } from './cluster.ts'
import { readServer } from './evidence.ts'
import { promisesAboutSales } from './promises.ts'
import { copyOf, type Outcome } from './run.ts'

/** A defect that the judge has to find: in a copy of the database, or in what the authority has received. */
interface Defect {
  name: string
  /** Statements on the copy, without its triggers. */
  statements?: string[]
  receive?: (received: Received[]) => Received[]
  /** Words of the promise that it breaks. */
  breaks: string
}

const LAST =
  '(SELECT max(journal_position) FROM invoices AS others WHERE others.premises_code = invoices.premises_code)'
const VICTIM = `(SELECT id FROM invoices WHERE gateway_id = '' AND journal_position = 2 ORDER BY premises_code LIMIT 1)`

const DEFECTS: readonly Defect[] = [
  {
    name: 'a doubled number',
    // Of another register, for which PostgreSQL lets it in.
    statements: [`UPDATE invoices SET number = '1', sequence_register = '9' WHERE id = ${VICTIM}`],
    breaks: 'numbers are 1 to n',
  },
  {
    name: 'a missing invoice',
    statements: [
      `CREATE TEMP TABLE victim AS SELECT id FROM invoices
        WHERE gateway_id = '' AND journal_position = ${LAST} LIMIT 1`,
      'DELETE FROM messages WHERE invoice_id IN (SELECT id FROM victim)',
      'DELETE FROM idempotency_keys WHERE invoice_id IN (SELECT id FROM victim)',
      'DELETE FROM invoices WHERE id IN (SELECT id FROM victim)',
    ],
    breaks: 'are stored with the id',
  },
  {
    name: 'a broken seal',
    statements: [`UPDATE invoices SET seal = repeat('0', 64) WHERE id = ${VICTIM}`],
    breaks: 'journals that are sealed',
  },
  {
    name: 'a second message',
    receive: (received) => [
      ...received,
      ...received.slice(0, 1).map((message) => ({ ...message, messageId: 'second' })),
    ],
    breaks: 'sent without need',
  },
]

/** Plants each defect in a copy of what the run has left, and asks the judge about it. */
export async function plantDefects(outcome: Outcome): Promise<Told> {
  const problems: string[] = []
  const premises = new Set(outcome.kept.invoices.map(({ premisesCode }) => premisesCode))
  const received = outcome.received.filter(({ premisesCode }) => premises.has(premisesCode))
  for (const [i, { name, statements = [], receive, breaks }] of DEFECTS.entries()) {
    const url = await copyOf(outcome.node, `defect_${i}`)
    await ask(url, ['SET session_replication_role = replica', ...statements].join(';\n'))
    const promises = promisesAboutSales({
      ...outcome,
      kept: await readServer(url),
      received: receive?.(received) ?? received,
    })
    const isFound = promises.some(({ promise, problems }) => promise.includes(breaks) && problems.length > 0)
    if (!isFound) problems.push(`${name} was not found`)
  }
  return { looked: DEFECTS.length, promise: 'defects were planted in copies, and each was found', problems }
}

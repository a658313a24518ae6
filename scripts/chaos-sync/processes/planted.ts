import type { Received } from '../../chaos/authority.ts'
import type { Told } from '../../chaos/report.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { ask } from '../cluster.ts'
import { copyKeys, riseOrThrow } from '../servers.ts'
import { readServer } from './evidence.ts'
import { makeProcess, sellAtBoth, UNPROVEN } from './one-key.ts'
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

/** Dates the keys of the process that does not know the time as its own clock would. */
const BY_ITS_OWN_CLOCK = `CREATE FUNCTION by_its_own_clock() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF current_user = '${UNPROVEN}' THEN NEW.created_at := 65; END IF; RETURN NEW; END $$;
  CREATE TRIGGER planted BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION by_its_own_clock()`
const PLANTED_ROUNDS = 3

/** Has two processes sell on a copy where each key is dated by its process, and asks the judge about their sales. */
async function keysByOwnClocks(outcome: Outcome, dist: string, scratch: Scratch): Promise<Told[]> {
  const { node, lab, load } = outcome
  const { shop, keysIn, authority, chance } = lab
  const url = await copyOf(node, 'own_clocks')
  const make = async (name: string, as: string, knowsTime: boolean) => {
    const on = { name, dist, authority, chance, url: url.replace('//fiskd@', `//${as}@`), knowsTime }
    const process = await makeProcess(on, scratch)
    copyKeys(keysIn, process.dataDir)
    await riseOrThrow(process)
    return process
  }
  const unproven = await make('planted-1', UNPROVEN, false)
  const proven = await make('planted-2', 'fiskd', true)
  await ask(url, BY_ITS_OWN_CLOCK)
  const bases = { unproven: unproven.base, proven: proven.base }
  const machines = shop.machines.slice(0, 1)
  const sales = await sellAtBoth({ shop, machines, bases, rounds: PLANTED_ROUNDS, chance })
  for (const process of [unproven, proven]) await process.stop()
  await ask(url, 'DROP FUNCTION by_its_own_clock CASCADE')
  const kept = await readServer(url)
  return promisesAboutSales({ ...outcome, load: { ...load, sales: [...load.sales, ...sales] }, kept })
}

/** Plants each defect in a copy of what the run has left, and asks the judge about it. */
export async function plantDefects(outcome: Outcome, { dist }: { dist: string }, scratch: Scratch): Promise<Told> {
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
    if (!isBroken(promises, breaks)) problems.push(`${name} was not found`)
  }
  const told = await keysByOwnClocks(outcome, dist, scratch)
  if (!isBroken(told, 'one for each sale'))
    problems.push('keys that each process dates by its own clock were not found')
  return { looked: DEFECTS.length + 1, promise: 'defects were planted in copies, and each was found', problems }
}

const isBroken = (promises: Told[], words: string) =>
  promises.some(({ promise, problems }) => promise.includes(words) && problems.length > 0)

import { type Check, failure, fine, warning } from '../../domain/check.ts'
import {
  type SequenceAhead,
  type SequenceEnding,
  sequencesAhead,
  sequencesEnding,
} from '../numbering/current-sequences.ts'
import type { Issued } from '../numbering/lost-sales.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sequence } from '../ports/model.ts'
import type { Behind } from '../ports/rows/issued.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck } from './doctor.ts'

const NAME = 'counting'
const RECORD = 'issued sales'
const RECORD_FIX = 'look at the disk (dmesg), and at who changes files in the data directory'

/** So many lost sales are named one by one. */
const NAMED = 20

/** Whether every premises has receipt numbers left, and which supplied numbers are far ahead. */
export function numberChecks({
  store,
  clock,
  issued,
}: {
  store: Pick<StoreTransaction, 'numbering'>
  clock: Clock
  issued: Issued
}): HealthCheck[] {
  async function examine(): Promise<Check[]> {
    const now = clock.now()
    const ending = await sequencesEnding(store, now)
    const ahead = await sequencesAhead(store, now)
    const checks = [
      ...(ending.length > 0 ? [endingCheck(ending)] : []),
      ...(ahead.length > 0 ? [aheadCheck(ahead)] : []),
    ]
    return checks.length > 0 ? checks : [fine(NAME, 'every premises has numbers left, and none was supplied far ahead')]
  }

  async function compare(): Promise<Check[]> {
    await issued.compare()
    const problem = issued.problem()
    const checks = [
      ...issued.lost().map(lostCheck),
      ...(problem === null ? [] : [warning(RECORD, `the record of issued sales: ${problem}`, RECORD_FIX)]),
    ]
    return checks.length > 0 ? checks : [fine(RECORD, 'the database holds the latest sale of every premises')]
  }
  return [
    { name: NAME, run: examine },
    { name: RECORD, run: compare },
  ]
}

function lostCheck({ premisesCode, sales }: Behind): Check {
  const named = sales.slice(-NAMED).map(({ number, zki, jir }) => `${number} (ZKI ${zki}, JIR ${jir ?? '-'})`)
  const others = sales.length > NAMED ? ` and ${sales.length - NAMED} more` : ''
  return failure(
    RECORD,
    `the database lacks sales of premises ${premisesCode} that were issued, so nothing is sold there: ${named.join(', ')}${others}`,
    'restore a newer copy of the database: fisk restore FILE; or go on above these numbers: fisk numbers skip-lost OIB PREMISES',
  )
}

function endingCheck(ending: readonly SequenceEnding[]): Check {
  const said = ending.map(({ sequence, left, highest }) =>
    left <= 0n
      ? `${nameOf(sequence)}: used up, so it cannot sell`
      : `${nameOf(sequence)}: after ${highest} only ${left} are left`,
  )
  return failure(NAME, few(said), 'have it count on from where it was: fisk numbers heal OIB PREMISES')
}

function aheadCheck(ahead: readonly SequenceAhead[]): Check {
  const said = ahead.map(({ sequence, count, latest: { number, invoiceId } }) => {
    const others = count === 1 ? '' : ` and ${count - 1} more`
    return `${nameOf(sequence)}: ${number}${invoiceId ? ` of ${invoiceId}` : ''}${others}`
  })
  return warning(
    NAME,
    `a caller supplied a number far ahead, which counting does not follow: ${few(said)}`,
    'find out why the machine sends such numbers; if nobody can explain it, revoke its API key: fisk key revoke ID',
  )
}

function nameOf({ premisesCode, mode, year, register }: Sequence): string {
  const place = mode === 'live' ? premisesCode : `${premisesCode} (${mode})`
  return `${place} in ${year}${register === '' ? '' : `, register ${register}`}`
}

import { type Check, failure, fine, warning } from '../../domain/check.ts'
import {
  type SequenceAhead,
  type SequenceEnding,
  sequencesAhead,
  sequencesEnding,
} from '../numbering/current-sequences.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sequence } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck } from './doctor.ts'

const NAME = 'counting'

/** Whether every premises has receipt numbers left, and which supplied numbers are far ahead. */
export function numberChecks({
  store,
  clock,
}: {
  store: Pick<StoreTransaction, 'numbering'>
  clock: Clock
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
  return [{ name: NAME, run: examine }]
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

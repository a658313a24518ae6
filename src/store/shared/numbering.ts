import { type SelectQueryBuilder, sql } from 'kysely'
import { NO_SEAL } from '../../domain/sale/journal.ts'
import { type Journal, journalKey, type Sequence, sequenceOf } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, unlessThere } from '../sqlite/connection.ts'
import { numbersAhead, SEQUENCE } from './numbers-ahead.ts'
import { isPostgres, matching, notOfGateway, run } from './queries.ts'
import type { Tables } from './tables.ts'
import { writtenOncePerColumns } from './written-once.ts'

export const levelAt = writtenOncePerColumns((db, premises: Premises) =>
  db.selectFrom('numberingLevels').select('level').where(matching(premises)),
)

export const highestOf = writtenOncePerColumns((db, sequence: Sequence) =>
  db.selectFrom('sequences').select('highest').where(matching(sequence)),
)

/** The highest counted number, and whether any is or was ahead of it: a sequence that has one ahead always has a row. */
export const courseOf = writtenOncePerColumns((db, sequence: Sequence) =>
  db
    .selectFrom('sequences')
    .select((eb) => [
      'highest',
      eb
        .exists(
          SEQUENCE.reduce(
            (query, column) => query.whereRef(`numbersAhead.${column}`, '=', `sequences.${column}`),
            eb.selectFrom('numbersAhead').select(sql.lit(1).as('one')),
          ),
        )
        .as('hasAhead'),
    ])
    .where(matching(sequence)),
)

export const raise = writtenOncePerColumns((db, { highest, ...sequence }: Sequence & { highest: string }) =>
  db
    .insertInto('sequences')
    .values({ ...sequence, highest })
    .onConflict((conflict) => conflict.columns(SEQUENCE).doUpdateSet({ highest })),
)

/** Makes the row that sales at a premises lock, from the end of its journal. */
const beginJournal = writtenOncePerColumns((db, journal: Journal) => {
  const ofIt = db
    .selectFrom('invoices')
    .where(sql<boolean>`gateway_id = ''`)
    .where(matching(journal))
    .orderBy('journalPosition', 'desc')
    .limit(1)
  const { companyId, mode, premisesCode } = journal
  return db
    .insertInto('journals')
    .values(({ fn, val }) => ({
      companyId,
      mode,
      premisesCode,
      position: fn.coalesce(ofIt.select('journalPosition'), sql.lit(0)),
      seal: fn.coalesce(ofIt.select('seal'), val(NO_SEAL)),
    }))
    .onConflict(unlessThere)
})

const lockJournal = writtenOncePerColumns((db, journal: Journal) =>
  db.selectFrom('journals').select('position').where(matching(journal)).forUpdate(),
)

async function lockOne(db: Db, journal: Journal): Promise<void> {
  if ((await lockJournal(db, journal)).rows.length > 0) return
  // While another transaction makes the row, this waits until that one has ended.
  await beginJournal(db, journal)
  await lockJournal(db, journal)
}

function journalOf(key: string): Journal {
  const [companyId, mode, premisesCode] = JSON.parse(key) as [string, Journal['mode'], string]
  return { companyId, mode, premisesCode }
}

export function numbering(db: Db): StoreTransaction['numbering'] {
  return {
    async lockPremises(...premises) {
      if (!isPostgres(db)) return
      // In one order everywhere, so that two transactions never wait for each other.
      for (const key of new Set(premises.map(journalKey).toSorted())) await lockOne(db, journalOf(key))
    },
    level: async (premises) => (await levelAt(db, premisesOf(premises))).rows[0]?.level,
    setLevel: (premises, level) =>
      db
        .insertInto('numberingLevels')
        .values({ ...premisesOf(premises), level })
        .$call(run),
    levels: () =>
      premisesInOrder(db.selectFrom('numberingLevels').selectAll().where(notOfGateway('numbering_levels'))).execute(),
    highest: async (sequence) => countedOf((await highestOf(db, sequenceOf(sequence))).rows[0]?.highest),
    async setHighest(sequence, number) {
      await raise(db, { ...sequenceOf(sequence), highest: number })
    },
    sequences: () =>
      premisesInOrder(db.selectFrom('sequences').selectAll().where(notOfGateway('sequences')))
        .orderBy('register')
        .execute(),
    async reserve(numbers) {
      await db.insertInto('reservedNumbers').values(numbers).execute()
      await this.setHighest(numbers, numbers.last)
    },
    reserved: () =>
      premisesInOrder(db.selectFrom('reservedNumbers').selectAll()).orderBy('register').orderBy('first').execute(),
    async isKnownUsed(sequence, number) {
      const rows = await db
        .selectFrom('reservedNumbers')
        .select(['first', 'usedTo'])
        .where(matching({ ...premisesOf(sequence), register: sequence.register }))
        .execute()
      return rows.some(
        ({ first, usedTo }) => usedTo !== null && BigInt(first) <= BigInt(number) && BigInt(number) <= BigInt(usedTo),
      )
    },
    sequencesOf: (companyId, premisesCode) =>
      premisesInOrder(db.selectFrom('sequences').selectAll())
        .where(matching({ companyId, premisesCode }))
        .orderBy('register')
        .execute(),
    sequencesFrom: (number, fromYear) =>
      premisesInOrder(db.selectFrom('sequences').selectAll().where(notOfGateway('sequences')))
        .where(sql<boolean>`(length(highest), highest) >= (${sql.lit(number.length)}, ${number})`)
        .where('year', '>=', fromYear)
        .orderBy('register')
        .execute(),
    ...numbersAhead(db),
  }
}

/** `0` means that no number was counted. */
export const countedOf = (highest: string | null | undefined) => (highest === '0' ? undefined : (highest ?? undefined))

type Premises = Omit<Sequence, 'register'>

export function premisesOf({ companyId, mode, premisesCode, year }: Premises): Premises {
  return { companyId, mode, premisesCode, year }
}

const PREMISES = SEQUENCE.slice(0, -1)

/** Orders by the primary key, which only SQLite does without `ORDER BY`. */
export function premisesInOrder<T extends 'numberingLevels' | 'sequences' | 'reservedNumbers', Row>(
  query: SelectQueryBuilder<Tables, T, Row>,
) {
  return PREMISES.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query)
}

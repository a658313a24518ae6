import { type Insertable, sql } from 'kysely'
import { higherReceiptNumber, sequenceRegister } from '../../../domain/sale/receipt-number.ts'
import { type Sequence, sequenceKey, sequenceOf } from '../../../fiscal/ports/model.ts'
import type { SyncRows } from '../../../fiscal/ports/outbox.ts'
import { type Db, unlessThere } from '../../sqlite/connection.ts'
import { insertMany } from '../bulk-statements.ts'
import { highestOf, levelAt, premisesOf } from '../numbering.ts'
import { numbersAhead } from '../numbers-ahead.ts'
import { matching } from '../queries.ts'
import type { Tables } from '../tables.ts'

/** Stores numbers that an operator accepted without counting on from them, so that later numbering skips them. */
export async function noteAhead(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
  const ahead = rows.map((row) => {
    const { id: invoiceId, createdAt: notedAt, document } = row
    return { sequence: sequenceOfRow(row), number: document.number, invoiceId, notedAt }
  })
  // Makes missing sequences. Not with `ON CONFLICT`: a trigger refuses what looks like a replacement of a row.
  for (const { sequence } of ahead) {
    if (await isThere(db, sequence)) continue
    await db
      .insertInto('sequences')
      .values({ ...sequence, highest: '0' })
      .execute()
  }
  await numbersAhead(db).noteAhead(ahead.map(({ sequence, ...one }) => ({ ...sequence, ...one })))
}

function sequenceOfRow({ companyId, mode, year, document }: SyncRows['invoice']): Sequence {
  return { companyId, mode, premisesCode: document.premisesCode, year, register: sequenceRegister(document) }
}

/** Raises the highest numbers of the premises, so that later numbering continues above the gateway's numbers. */
export async function raiseNumbers(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
  const highest = new Map<string, Sequence & { highest: string; level: 'P' | 'N' }>()
  for (const row of rows) {
    const { number, sequenceMark: level } = row.document
    const sequence = sequenceOfRow(row)
    const key = sequenceKey(sequence)
    const before = highest.get(key)?.highest
    highest.set(key, { ...sequence, level, highest: higherReceiptNumber(before, number) })
  }
  // In a fixed order, so that two batches never deadlock.
  const inOrder = [...highest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sequence]) => sequence)
  const levels: Insertable<Tables['numberingLevels']>[] = []
  for (const { level, ...sequence } of inOrder) {
    const premises = premisesOf(sequence)
    if ((await levelAt(db, premises)).rows.length === 0) levels.push({ ...premises, level })
  }
  await insertMany(db, 'numberingLevels', levels, 'ON CONFLICT DO NOTHING')
  for (const { level: _level, ...sequence } of inOrder) {
    const { numUpdatedRows } = await db
      .updateTable('sequences')
      .set({ highest: sequence.highest })
      .where(matching(sequenceOf(sequence)))
      .where(
        sql<boolean>`(length(highest) < length(${sequence.highest})
          OR (length(highest) = length(${sequence.highest}) AND highest < ${sequence.highest}))`,
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) continue
    if (await isThere(db, sequence)) continue
    await db.insertInto('sequences').values(sequence).onConflict(unlessThere).execute()
  }
}

const isThere = async (db: Db, sequence: Sequence) => (await highestOf(db, sequenceOf(sequence))).rows.length > 0

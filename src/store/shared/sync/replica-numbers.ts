import { sql } from 'kysely'
import { higherReceiptNumber, sequenceRegister } from '../../../domain/sale/receipt-number.ts'
import { type Sequence, sequenceKey } from '../../../fiscal/ports/model.ts'
import type { SyncRows } from '../../../fiscal/ports/outbox.ts'
import type { Db } from '../../sqlite/connection.ts'
import { insertMany } from '../bulk-statements.ts'
import { numbersAhead } from '../numbers-ahead.ts'

/** Stores numbers that an operator accepted without counting on from them, so that later numbering skips them. */
export async function noteAhead(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
  const ahead = rows.map((row) => {
    const { companyId, mode, year, id: invoiceId, createdAt: notedAt, document } = row
    const sequence = {
      companyId,
      mode,
      premisesCode: document.premisesCode,
      year,
      register: sequenceRegister(row.document),
    }
    return { sequence, number: document.number, invoiceId, notedAt }
  })
  // Makes missing sequences. Not with `ON CONFLICT`: a trigger refuses what looks like a replacement of a row.
  for (const { sequence } of ahead) {
    const known = db
      .selectFrom('sequences')
      .select('highest')
      .where((eb) => eb.and(sequence))
    if (await known.executeTakeFirst()) continue
    await db
      .insertInto('sequences')
      .values({ ...sequence, highest: '0' })
      .execute()
  }
  await numbersAhead(db).noteAhead(ahead.map(({ sequence, ...one }) => ({ ...sequence, ...one })))
}

/** Raises the highest numbers of the premises, so that later numbering continues above the gateway's numbers. */
export async function raiseNumbers(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
  const highest = new Map<string, Sequence & { highest: string; level: 'P' | 'N' }>()
  for (const row of rows) {
    const { premisesCode, number, sequenceMark: level } = row.document
    const register = sequenceRegister(row.document)
    const { companyId, mode, year } = row
    const key = sequenceKey({ companyId, mode, premisesCode, year, register })
    const before = highest.get(key)?.highest
    highest.set(key, {
      companyId,
      mode,
      premisesCode,
      year,
      register,
      level,
      highest: higherReceiptNumber(before, number),
    })
  }
  // In a fixed order, so that two batches never deadlock.
  const inOrder = [...highest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sequence]) => sequence)
  const levels = (await withoutLevel(db, inOrder)).map(({ companyId, mode, premisesCode, year, level }) => {
    return { companyId, mode, premisesCode, year, level }
  })
  await insertMany(db, 'numberingLevels', levels, 'ON CONFLICT DO NOTHING')
  for (const { level: _level, ...sequence } of inOrder) {
    const { companyId, mode, premisesCode, year, register } = sequence
    const { numUpdatedRows } = await db
      .updateTable('sequences')
      .set({ highest: sequence.highest })
      .where((eb) => eb.and({ companyId, mode, premisesCode, year, register }))
      .where(
        sql<boolean>`(length(highest) < length(${sequence.highest})
          OR (length(highest) = length(${sequence.highest}) AND highest < ${sequence.highest}))`,
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) continue
    const known = db
      .selectFrom('sequences')
      .select('highest')
      .where((eb) => eb.and({ companyId, mode, premisesCode, year, register }))
    if (await known.executeTakeFirst()) continue
    await db
      .insertInto('sequences')
      .values(sequence)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function withoutLevel<T extends Sequence>(db: Db, sequences: readonly T[]): Promise<T[]> {
  const open: T[] = []
  for (const sequence of sequences) {
    const { companyId, mode, premisesCode, year } = sequence
    const known = db
      .selectFrom('numberingLevels')
      .select('level')
      .where((eb) => eb.and({ companyId, mode, premisesCode, year }))
    if (!(await known.executeTakeFirst())) open.push(sequence)
  }
  return open
}

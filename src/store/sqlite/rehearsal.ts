import { MESSAGE_ARCHIVE } from '../../domain/sale/message-reading-limits.ts'
import type { RehearsalStore } from '../../fiscal/ports/rehearsal.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { aggregatesInUse } from '../shared/aggregates.ts'
import { unpack } from '../shared/messages.ts'
import type { Db } from './connection.ts'
import { salesOnSqlite } from './sales.ts'
import { inTransaction } from './synchronous-statements.ts'

/** A long outage leaves many messages without an answer. */
const LATEST = 100

class RolledBack extends Error {}

/** A sale's statements without a sale. A rollback writes no page: changed ones never leave the memory of SQLite. */
export function rehearsalOn(db: Db): RehearsalStore {
  return {
    async rolledBack<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
      const done: T[] = []
      const run = inTransaction(db, async (trx) => {
        done.push(await work(aggregatesInUse(trx, salesOnSqlite)))
        throw new RolledBack()
      })
      await run.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
      return done[0] as T
    },
    async latestAnswer() {
      const latest = db
        .selectFrom('messages')
        .select(['id', 'invoiceId', 'messageUuid', 'errorCode', 'responseXml'])
        .orderBy('id', 'desc')
        .limit(LATEST)
      const row = await db
        .selectFrom(latest.as('latest'))
        .innerJoin('invoices', 'invoices.id', 'latest.invoiceId')
        .select(['invoices.deviceId', 'invoices.mode', 'latest.messageUuid as messageId', 'latest.responseXml'])
        .where('latest.errorCode', 'is', null)
        .where('latest.responseXml', 'is not', null)
        .where('invoices.jir', 'is not', null)
        .orderBy('latest.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (!row?.responseXml) return undefined
      const { responseXml, ...facts } = row
      const unpacked = await unpack(responseXml, MESSAGE_ARCHIVE.textBytes)
      return unpacked && { ...facts, xml: unpacked.text }
    },
  }
}

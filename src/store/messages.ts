import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'

export function messages(db: Db): StoreTransaction['messages'] {
  return {
    async insert(message) {
      await db.insertInto('messages').values(message).execute()
    },
    async ofInvoice(invoiceId) {
      return db.selectFrom('messages').selectAll().where('invoiceId', '=', invoiceId).orderBy('attemptNo').execute()
    },
  }
}

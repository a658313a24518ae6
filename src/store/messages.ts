import { gunzipSync, gzipSync } from 'node:zlib'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'

export function messages(db: Db): StoreTransaction['messages'] {
  return {
    async insert(message) {
      const { requestXml, responseXml } = message
      await db
        .insertInto('messages')
        .values({ ...message, requestXml: zip(requestXml), responseXml: zip(responseXml) })
        .execute()
    },
    async ofInvoice(invoiceId) {
      const query = db.selectFrom('messages').selectAll().where('invoiceId', '=', invoiceId).orderBy('attemptNo')
      const rows = await query.execute()
      return rows.map((row) => ({ ...row, requestXml: unzip(row.requestXml), responseXml: unzip(row.responseXml) }))
    },
  }
}

/** Two fifths of the size; an SD card is small and a sale is kept for ever. */
function zip(xml: string | null): Buffer | null {
  return xml === null ? null : gzipSync(xml)
}

function unzip(zipped: Buffer | null): string | null {
  return zipped === null ? null : gunzipSync(zipped).toString('utf8')
}

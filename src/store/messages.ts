import { gunzipSync, gzipSync } from 'node:zlib'
import type { Insertable, Selectable } from 'kysely'
import type { MessageRecord } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'
import { writtenOncePerColumns } from './written-once.ts'

const insert = writtenOncePerColumns((db, row: Insertable<Tables['messages']>) => db.insertInto('messages').values(row))

export function messages(db: Db): StoreTransaction['messages'] {
  return {
    async insert(message) {
      const { requestXml, responseXml } = message
      await insert(db, { ...message, requestXml: zip(requestXml), responseXml: zip(responseXml) })
    },
    async ofInvoice(invoiceId) {
      const query = db.selectFrom('messages').selectAll().where('invoiceId', '=', invoiceId).orderBy('attemptNo')
      const rows = await query.execute()
      return rows.map(toMessage)
    },
  }
}

export function toMessage(row: Selectable<Tables['messages']>): MessageRecord {
  return { ...row, requestXml: unzip(row.requestXml), responseXml: unzip(row.responseXml) }
}

/**
 * Half of the size; an SD card is small and a sale is kept for ever. Smaller tables than zlib's own take half the time, and
 * find as much in a text of a few KB.
 */
function zip(xml: string | null): Buffer | null {
  return xml === null ? null : gzipSync(xml, { level: 6, memLevel: 7, windowBits: 13 })
}

function unzip(zipped: Buffer | null): string | null {
  return zipped === null ? null : gunzipSync(zipped).toString('utf8')
}

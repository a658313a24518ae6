import { type Insertable, sql } from 'kysely'
import { sequenceOf } from '../../fiscal/ports/model.ts'
import type { NewSale, SaleRows, SettledAttempt } from '../../fiscal/ports/rows/sales.ts'
import { KeyTaken, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { certificatesInUse } from '../shared/certificates.ts'
import { keyRow } from '../shared/idempotency.ts'
import type { Tables } from '../shared/tables.ts'
import { writtenOncePerColumns } from '../shared/written-once.ts'
import type { Db } from './connection.ts'

type Rows = Omit<StoreTransaction, 'sales'>

const reserve = writtenOncePerColumns((db, row: Insertable<Tables['idempotencyKeys']>, endedBefore: number) =>
  db
    .insertInto('idempotencyKeys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet((eb) => ({
          requestHash: eb.ref('excluded.requestHash'),
          createdAt: eb.ref('excluded.createdAt'),
          invoiceId: eb.ref('excluded.invoiceId'),
          responseStatus: eb.ref('excluded.responseStatus'),
          responseBody: eb.ref('excluded.responseBody'),
          // Behind all others, where it would stand if it were new: old keys are removed in this order.
          rowid: sql<number>`(SELECT max(rowid) + 1 FROM idempotency_keys)`,
        }))
        .where('idempotencyKeys.createdAt', '<=', endedBefore),
    ),
)

/**
 * As long as a usual response, and in its place until there is one: without a status nobody reads it. Else the row would
 * grow in the second transaction, no longer fit beside the row before it, and have three pages written instead of one.
 */
const ROOM_FOR_RESPONSE = ' '.repeat(350)

/** The way of a sale on SQLite: its statements cost little, and its transactions never overlap. */
export function salesOnSqlite(db: Db, rows: Rows): SaleRows {
  const certificates = certificatesInUse(db, rows)
  return {
    async origin(deviceId) {
      const device = await rows.devices.get(deviceId)
      const company = device && (await rows.companies.get(device.companyId))
      if (!company) return undefined
      const certificate = await certificates.of(company.id)
      return { device, company, certificate, printer: await rows.printers.get(deviceId) }
    },
    async take(sequence) {
      const level = await rows.numbering.level(sequence)
      const { highest, hasAhead } = await rows.numbering.course(sequence)
      return { last: await rows.invoices.lastOf(sequence), level, highest, hasAhead }
    },
    async insert({ invoice, sequence, highest, use, usesEndedBefore, seenAt }: NewSale) {
      await rows.numbering.setHighest(sequenceOf(sequence), highest)
      await rows.invoices.insert(invoice)
      const key = { ...keyRow(use), responseBody: ROOM_FOR_RESPONSE }
      if ((await reserve(db, key, usesEndedBefore)).numAffectedRows !== 1n) throw new KeyTaken()
      await rows.devices.update(invoice.deviceId, { lastSeenAt: seenAt })
    },
    async settle({ invoice, message, device, response, receipt }: SettledAttempt) {
      if (message) await rows.messages.insert(message)
      await rows.invoices.progress(invoice.id, invoice)
      if (device && 'lastSuccessAt' in device) await rows.devices.update(invoice.deviceId, device)
      if (device && 'mismatch' in device) {
        const { isuStatus, isuNumber } = (await rows.devices.get(invoice.deviceId)) ?? {}
        const isStill = isuStatus === 'assigned' && isuNumber === invoice.document.registerMark
        if (isStill) await rows.devices.update(invoice.deviceId, { isuStatus: 'mismatch' })
      }
      if (response) await rows.idempotency.complete(response.scope, response.key, response)
      if (receipt) await rows.printJobs.insert(receipt)
    },
    isElsewhere: async () => false,
  }
}

import { type Insertable, sql } from 'kysely'
import { sequenceOf } from '../../fiscal/ports/model.ts'
import type { AttemptOutcome, NewSale, SaleRows } from '../../fiscal/ports/rows/sales.ts'
import { KeyTaken } from '../../fiscal/ports/store.ts'
import { datedRow, keepResponse, keyEnd } from '../shared/idempotency.ts'
import {
  changeOpen,
  endOf,
  insertInvoice,
  invoiceRow,
  progressRow,
  requireChanged,
} from '../shared/invoices/invoices.ts'
import { behindKey, behindOf } from '../shared/issued.ts'
import { insertMessage, messageRow, zip } from '../shared/messages.ts'
import { countedOf, courseOf, levelAt, premisesOf, raise } from '../shared/numbering.ts'
import { insertPrintJob, printerOfDevice, toPrinter } from '../shared/printing.ts'
import { certificatesInUse, changeDevice, companyById, deviceById, toCompany, toDevice } from '../shared/registry.ts'
import type { Tables } from '../shared/tables.ts'
import { writtenOncePerColumns } from '../shared/written-once.ts'
import { type Db, requireInserted } from './connection.ts'

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

/** The way of a sale on SQLite: its statements cost little and wait for nothing, and its transactions never overlap. */
export function salesOnSqlite(db: Db): SaleRows {
  // Made when it is asked for: each transaction has a way of its own, and needs none.
  let certificates: ReturnType<typeof certificatesInUse> | undefined
  return {
    async origin(deviceId) {
      const [device] = deviceById.now(db, deviceId).rows
      const company = device && toCompany(companyById.now(db, device.companyId).rows[0])
      if (!company) return undefined
      certificates ??= certificatesInUse(db)
      const certificate = certificates.of(company.id)
      const [printer] = printerOfDevice.now(db, deviceId).rows
      return { device: toDevice(device), company, certificate, printer: printer && toPrinter(printer) }
    },
    async take(sequence) {
      const { companyId, mode, premisesCode } = sequence
      const [level] = levelAt.now(db, premisesOf(sequence)).rows
      const [course] = courseOf.now(db, sequenceOf(sequence)).rows
      const [last] = endOf.now(db, companyId, mode, premisesCode).rows
      const isBehind = behindOf.now(db, behindKey(sequence)).rows.length > 0
      return {
        last,
        level: level?.level,
        isBehind,
        highest: countedOf(course?.highest),
        hasAhead: Boolean(course?.hasAhead),
      }
    },
    async insert({ invoice, sequence, highest, use, keyTime, seenAt }: NewSale) {
      raise.now(db, { ...sequenceOf(sequence), highest })
      requireInserted(insertInvoice.now(db, invoiceRow(invoice)).numAffectedRows)
      const key = { ...datedRow(use, keyTime), responseBody: ROOM_FOR_RESPONSE }
      if (reserve.now(db, key, keyEnd(keyTime)).numAffectedRows !== 1n) throw new KeyTaken()
      changeDevice.now(db, { lastSeenAt: seenAt }, invoice.deviceId)
    },
    async storeOutcome({ invoice, message, device, response, receipt }: AttemptOutcome) {
      if (message) insertMessage.now(db, messageRow(message))
      requireChanged(invoice.id, changeOpen.now(db, progressRow(invoice), invoice.id).numAffectedRows)
      if (device && 'lastSuccessAt' in device) changeDevice.now(db, device, invoice.deviceId)
      if (device && 'mismatch' in device) {
        const [{ isuStatus, isuNumber } = {}] = deviceById.now(db, invoice.deviceId).rows
        const isStill = isuStatus === 'assigned' && isuNumber === invoice.document.registerMark
        if (isStill) changeDevice.now(db, { isuStatus: 'mismatch' }, invoice.deviceId)
      }
      if (response) {
        const { scope, key, status, body } = response
        keepResponse.now(db, { responseStatus: status, responseBody: body }, scope, key)
      }
      if (receipt) insertPrintJob.now(db, receipt)
    },
    packed: zip,
    isElsewhere: async () => false,
  }
}

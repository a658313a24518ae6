import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SequenceMark } from '../../domain/sale/receipt-number.ts'
import { type Sequence, sequenceOf } from '../../fiscal/ports/model.ts'
import type { PremisesState, SaleRows } from '../../fiscal/ports/rows/sales.ts'
import { ClaimLost, Duplicate, KeyTaken, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { keyRow, sharedDate, sharedEnd } from '../shared/idempotency.ts'
import { invoiceRow, OPEN, progressRow } from '../shared/invoices/invoices.ts'
import { BEHIND, behindKey } from '../shared/issued.ts'
import { messageRow, zip } from '../shared/messages.ts'
import { countedOf } from '../shared/numbering.ts'
import { toPrinter } from '../shared/printing.ts'
import { toCertificate, toCompany, toDevice } from '../shared/registry.ts'
import type { Tables } from '../shared/tables.ts'
import { writtenOnce, writtenOncePerColumns } from '../shared/written-once.ts'
import type { Db } from '../sqlite/connection.ts'
import { asRemoved, type Claimed, type Claims } from './claims.ts'
import { CURRENT_ERA, MARK } from './era.ts'
import type { KeptSale, KeptSales } from './kept-sales.ts'
import type { Standing } from './processes.ts'

const INVOICE: Claimed = 'invoice'

export interface SalesDeps {
  /** What this process holds: only its holder stores the outcome of an invoice. */
  claims: Pick<Claims, 'epoch' | 'isElsewhere' | 'claimed' | 'released'>
  /** Of the database that this process has opened. */
  mark: string | null
  /** Of this process when a sale is stored. */
  standing(): Standing
  kept: Pick<KeptSales, 'progressed'>
}

/** Each step of a sale is one statement, because each one waits for the network. @param stored gets each stored sale */
export function salesOnPostgres(
  db: Db,
  rows: Pick<StoreTransaction, 'numbering'>,
  { claims, mark, standing, kept }: SalesDeps,
  stored: KeptSale[],
): SaleRows {
  return {
    async origin(deviceId) {
      const [row] = (await origin(db, deviceId)).rows
      if (!row) return undefined
      const { device, company, printer, ...certificate } = row
      return {
        device: toDevice(device),
        company: toCompany(company),
        printer: printer ? toPrinter(printer) : undefined,
        certificate: certificate.id === null ? undefined : toCertificate(certificate as Row<'certificates'>),
      }
    },
    async take(sequence) {
      let state = (await take(db, sequenceOf(sequence))).rows[0]
      if (!state) {
        await rows.numbering.lockPremises(sequence)
        state = (await take(db, sequenceOf(sequence))).rows[0]
      } else if (state.level === null || state.highest === null) {
        // The statement saw the other rows as they were before it waited for the premises.
        state = (await take(db, sequenceOf(sequence))).rows[0]
      }
      if (!state) throw new Error(`the journal of premises ${sequence.premisesCode} has no end`)
      return stateOf(state)
    },
    async insert({ invoice, sequence, highest, use, seenAt }) {
      const { companyId, mode, premisesCode } = sequence
      const { invoiceId: _stored, ...key } = keyRow(use)
      const row = invoiceRow(invoice)
      claims.claimed(invoice.id)
      const { rows } = await insert(db, {
        ...named('invoices', { ...row }),
        ...named('keys', key),
        ...named('sequences', { ...sequenceOf(sequence), highest }),
        ...named('claim', { name: INVOICE, key: invoice.id }),
        ...named('standing', { mark, ...standing() }),
        ...named('journal', { companyId, mode, premisesCode }),
        ...named('behind', { key: behindKey(sequence) }),
        ...named('end', { position: invoice.journalPosition, seal: invoice.seal }),
        ...named('device', { id: invoice.deviceId, lastSeenAt: seenAt }),
      }).catch((error: unknown) => {
        throw asRemoved(error)
      })
      const counts = rows[0]
      if (counts?.keys === 0) throw new KeyTaken()
      if (counts?.invoices === 0) throw new Duplicate()
      if (counts?.journals !== 1) throw new Error(`the journal of premises ${premisesCode} has no end`)
      stored.push({ row, use, highest })
    },
    async storeOutcome({ invoice, message, isLast, device, response, receipt }) {
      const { status, body, ...key } = response ?? {}
      kept.progressed(invoice, response && { status: response.status, body: response.body })
      await writeOutcome(db, {
        ...named(isLast ? 'ends' : 'goesOn', { name: INVOICE, key: invoice.id, process: claims.epoch() }),
        ...named('invoice', progressRow(invoice)),
        ...(message && named('messages', messageRow(message))),
        ...(device && 'lastSuccessAt' in device && named('confirmed', { id: invoice.deviceId, ...device })),
        ...(device &&
          'mismatch' in device &&
          named('mismatched', { id: invoice.deviceId, isuNumber: invoice.document.registerMark })),
        ...(response && named('uses', key)),
        ...(response && named('response', { responseStatus: status, responseBody: body })),
        ...(receipt && named('receipts', receipt)),
      }).catch((error: { code?: unknown }) => {
        throw error.code === DIVISION_BY_ZERO ? new ClaimLost(error) : error
      })
      if (isLast) claims.released(invoice.id)
    },
    packed: zip,
    isElsewhere: (invoiceId) => claims.isElsewhere(db, invoiceId),
  }
}

type Row<T extends keyof Tables> = Selectable<Tables[T]>

type OriginRow = { [column in keyof Row<'certificates'>]: Row<'certificates'>[column] | null } & {
  device: Row<'devices'>
  company: Row<'companies'>
  printer: Row<'printers'> | null
}

const origin = writtenOnce(
  (_db, deviceId: string) => sql<OriginRow>`
    SELECT to_jsonb(d) AS device, to_jsonb(c) AS company, to_jsonb(p) AS printer, k.*
    FROM devices d JOIN companies c ON c.id = d.company_id
      LEFT JOIN printers p ON p.device_id = d.id
      LEFT JOIN certificates k ON k.company_id = c.id AND k.gateway_id = '' AND k.superseded_at IS NULL
        AND k.revoked_at IS NULL
    WHERE d.id = ${deviceId}`,
)

interface StateRow {
  position: number
  seal: string
  level: SequenceMark | null
  highest: string | null
  hasAhead: boolean
  isBehind: boolean
}

function stateOf({ position, seal, level, highest, hasAhead, isBehind }: StateRow): PremisesState {
  return {
    last: position === 0 ? undefined : { journalPosition: position, seal },
    level: level ?? undefined,
    highest: countedOf(highest),
    hasAhead,
    isBehind,
  }
}

/** The premises first, then its sequence: each as it is once it is locked. */
const take = writtenOncePerColumns((_db, { companyId, mode, premisesCode, year, register }: Sequence) => {
  const isPremises = sql`company_id = ${companyId} AND mode = ${mode} AND premises_code = ${premisesCode}`
  const isSequence = sql`${isPremises} AND year = ${year} AND register = ${register}`
  const behind = sql`concat_ws(' ', ${BEHIND}::text, ${companyId}::text, ${mode}::text, ${premisesCode}::text)`
  return sql<StateRow>`
    WITH premises AS MATERIALIZED (SELECT position, seal FROM journals WHERE ${isPremises} FOR UPDATE),
      course AS MATERIALIZED (
        SELECT highest FROM sequences WHERE ${isSequence} AND EXISTS (SELECT 1 FROM premises) FOR UPDATE)
    SELECT position, seal, highest,
      (SELECT level FROM numbering_levels WHERE ${isPremises} AND year = ${year}) AS level,
      EXISTS (SELECT 1 FROM numbers_ahead WHERE ${isSequence}) AS has_ahead,
      EXISTS (SELECT 1 FROM meta WHERE key = ${behind}) AS is_behind
    FROM premises LEFT JOIN course ON true`
})

/**
 * In another database, restored in the place of ours, or one that went back in time, the claim has no process, and nothing
 * is stored. That the premises is behind may have been found after `take`.
 */
const insert = writtenOncePerColumns((_db, row: NamedColumns) => {
  const { invoices, keys, sequences, claim, standing, behind, journal, end, device } = byName(row)
  const use = { ...keys, createdAt: sharedDate, invoiceId: sql`(SELECT id FROM invoice)` }
  const process = sql`(SELECT id FROM processes WHERE id = ${standing?.process} AND beats >= ${standing?.beats}
    AND ${standing?.mark} = ${sql.raw(MARK)} AND ${standing?.era} = ${sql.raw(CURRENT_ERA)}
    AND NOT EXISTS (SELECT 1 FROM meta WHERE key = ${behind?.key}))`
  return sql<{ invoices: number; keys: number; journals: number }>`
    WITH course AS (
        ${inserting('sequences', sequences)} ON CONFLICT (company_id, mode, premises_code, year, register)
          DO UPDATE SET highest = excluded.highest),
      journal AS (UPDATE journals SET ${changes(end)} WHERE ${matches(journal)} RETURNING position),
      invoice AS (${inserting('invoices', invoices)} ON CONFLICT DO NOTHING RETURNING id),
      claim AS (${inserting('claims', { ...claim, process })}),
      use AS (
        ${inserting('idempotency_keys', use)} ON CONFLICT (scope, key) DO UPDATE SET
          request_hash = excluded.request_hash, created_at = excluded.created_at, invoice_id = excluded.invoice_id,
          response_status = excluded.response_status, response_body = excluded.response_body
        WHERE idempotency_keys.created_at <= ${sharedEnd} RETURNING key),
      seen AS (UPDATE devices SET last_seen_at = ${device?.lastSeenAt} WHERE id = ${device?.id})
    SELECT (SELECT count(*) FROM invoice) AS invoices, (SELECT count(*) FROM use) AS keys,
      (SELECT count(*) FROM journal) AS journals`
})

const OPEN_STATUSES = sql.join(OPEN.map((status) => sql.lit(status)))
const DIVISION_BY_ZERO = '22012'

/** Where this process does not hold the invoice, or that is final, a division by zero undoes the whole statement. */
const writeOutcome = writtenOncePerColumns((_db, row: NamedColumns) => {
  const { ends, goesOn, invoice, messages, confirmed, mismatched, uses, response, receipts } = byName(row)
  const writes = [
    // Stored already where the answer to this statement was lost, and it is repeated.
    messages && sql`${inserting('messages', messages)} ON CONFLICT DO NOTHING`,
    confirmed && sql`UPDATE devices SET last_success_at = ${confirmed.lastSuccessAt} WHERE id = ${confirmed.id}`,
    mismatched &&
      sql`UPDATE devices SET isu_status = 'mismatch' WHERE ${matches(mismatched)} AND isu_status = 'assigned'`,
    uses && response && sql`UPDATE idempotency_keys SET ${changes(response)} WHERE ${matches(uses)}`,
    receipts && inserting('print_jobs', receipts),
  ].flatMap((write, i) => (write ? [sql`, ${sql.ref(`write${i}`)} AS (${write})`] : []))
  const held = ends
    ? sql`DELETE FROM claims WHERE ${matches(ends)} RETURNING key`
    : sql`SELECT key FROM claims WHERE ${matches(goesOn)} FOR UPDATE`
  return sql`
    WITH held AS (${held}),
    outcome AS (
      UPDATE invoices SET ${changes(invoice)} WHERE id = (SELECT key FROM held) AND status IN (${OPEN_STATUSES})
      RETURNING id)
    ${sql.join(writes, sql``)}
    SELECT 1 / count(*) AS stored FROM outcome`
})

/** Columns of several tables in one row, as `name.column`. */
type NamedColumns = Record<string, unknown>

function named(name: string, row: object): NamedColumns {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [`${name}.${column}`, value]))
}

function byName(row: NamedColumns): Record<string, Record<string, unknown> | undefined> {
  const rows: Record<string, Record<string, unknown>> = {}
  for (const [key, value] of Object.entries(row)) {
    const [name = '', column = ''] = key.split('.')
    rows[name] = { ...rows[name], [column]: value }
  }
  return rows
}

function inserting(table: string, row: Record<string, unknown> = {}): RawBuilder<unknown> {
  const columns = Object.keys(row).map((column) => sql.ref(column))
  return sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})`
}

const equals = (row: Record<string, unknown> = {}) =>
  Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
const changes = (row: Record<string, unknown> | undefined) => sql.join(equals(row))
const matches = (row: Record<string, unknown> | undefined) => sql.join(equals(row), sql` AND `)

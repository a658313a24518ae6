import type { TSchema } from 'typebox'
import { companyIdOf } from '../../domain/company-id.ts'
import { isTooDeep } from '../../domain/json-limits.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import { OUT_OF_REACH } from '../../fiscal/ports/enrolment.ts'
import { SYNC_KINDS, type SyncKind, type SyncRecord, type SyncRows } from '../../fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from './bounds.ts'
import { type Check, checkOf } from './check-value.ts'
import type { WireRecord } from './messages.ts'
import { BYTES, FIELDS } from './rows.ts'
import { Closed } from './schemas.ts'

/** Why a record is refused, while the other records of its batch are stored. */
export interface WireRefusal {
  kind: string
  id: string
  version: number
  code: RefusalCode
  message: string
}

const REFUSAL_CODES = [
  /** Of a kind that this version does not know. */
  'unknown_kind',
  /** A field is unknown, missing or wrong; the message names it. */
  'invalid_record',
  /** It has more bytes than any record that a gateway of this version makes. */
  'record_too_large',
  /** Another gateway, another tenant or the server itself has decided on this row. */
  'owned_by_other',
  /** What it rests on is not there: its company, device, certificate or invoice. */
  'missing_parent',
  /** Another numbering authority has the premises. */
  'premises_owned_by_gateway',
  /** It says something else about what was issued than what is stored. */
  'already_different',
  /** The invoice is confirmed or expired, and stays so. */
  'invoice_is_final',
  /** Something unique of it stands in another row: a receipt number, a label, an ISU number. */
  'already_taken',
  /** Its invoice has as many messages as are kept, or as many with XML. */
  'too_many_messages',
  /** The number of an invoice is far above all that is known there: it is stored when an operator accepts it. */
  OUT_OF_REACH,
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

interface Shape {
  fields: readonly { name: string; wire: string; isBytes: boolean }[]
  check: Check<ReturnType<typeof Closed>>
}

function shapeOf(kind: SyncKind): Shape {
  const fields = Object.keys(FIELDS[kind]).map((name) => ({
    name,
    wire: snakeCase(name),
    isBytes: BYTES[kind]?.includes(name) === true,
  }))
  const schemas: Record<string, TSchema> = FIELDS[kind]
  const schema = Closed(Object.fromEntries(fields.map(({ name, wire }) => [wire, schemas[name] as TSchema])))
  return { fields, check: checkOf(schema) }
}

const SHAPES = Object.fromEntries(SYNC_KINDS.map((kind) => [kind, shapeOf(kind)])) as Record<SyncKind, Shape>

export function encodeRecord({ kind, id, version, row }: SyncRecord): WireRecord {
  const wire: Record<string, unknown> = {}
  for (const { name, wire: field, isBytes } of SHAPES[kind].fields) {
    const value = (row as unknown as Record<string, unknown>)[name]
    wire[field] = isBytes ? toBase64(value) : value
  }
  return { kind, id, version, row: wire }
}

/** The record of a row as it came with its bytes, or why it is none. Its texts and numbers are in their limits, its own parts agree. */
export function decodeRecord(record: WireRecord): { record: SyncRecord; bytes: number } | { refusal: WireRefusal } {
  const refuse = (code: RefusalCode, message: string) => ({
    refusal: { kind: record.kind, id: record.id, version: record.version, code, message },
  })
  const { kind } = record
  if (!isKind(kind)) return refuse('unknown_kind', `this version does not know records of the kind ${kind}`)
  const { fields, check } = SHAPES[kind]
  const checked = check(record.row)
  if ('fault' in checked) return refuse('invalid_record', checked.fault.message)
  const tooMuch = faultInFree(kind, checked.value)
  if (tooMuch !== undefined) return refuse('invalid_record', tooMuch)
  // Each field has its bound, and all of them together have more than is stored, listed and drawn in one go.
  const bytes = Buffer.byteLength(JSON.stringify(checked.value))
  if (bytes > SYNC_BOUNDS.row.most)
    return refuse('record_too_large', `a record has at most ${SYNC_BOUNDS.row.most / 1024} KB`)
  const row: Record<string, unknown> = {}
  for (const { name, wire, isBytes } of fields) {
    const value = (checked.value as Record<string, unknown>)[wire]
    const kept = isBytes ? fromBase64(value) : value
    if (kept === undefined) return refuse('invalid_record', `${wire} is not base64`)
    row[name] = kept
  }
  const decoded = { kind, id: record.id, version: record.version, row } as unknown as SyncRecord
  const fault = contradictionIn(decoded)
  return fault === undefined ? { record: decoded, bytes } : refuse('invalid_record', fault)
}

const isKind = (kind: string): kind is SyncKind => Object.hasOwn(SHAPES, kind)

/** What no schema sees. */
function contradictionIn(record: SyncRecord): string | undefined {
  if (idOf(record) !== record.id) return 'id is not the one of its row'
  switch (record.kind) {
    case 'company':
      return companyIdOf(record.row.oib) === record.id ? undefined : 'id is not the one of its oib'
    case 'device':
      if ((record.row.isuStatus === 'pending') === (record.row.isuNumber === null)) return undefined
      return 'isu_number and isu_status contradict each other'
    case 'invoice':
      return contradictionInInvoice(record.row)
    default:
      return undefined
  }
}

/** The sales of a batch are of one company or two, and each id is a digest. */
let lastIssuer = { oib: '', id: '' }

function issuerOf(oib: string): string {
  if (lastIssuer.oib !== oib) lastIssuer = { oib, id: companyIdOf(oib) }
  return lastIssuer.id
}

function contradictionInInvoice({ companyId, document, status, jir }: SyncRows['invoice']): string | undefined {
  if (issuerOf(document.companyOib) !== companyId) return 'document.companyOib is not the one of its company'
  if ((status === 'confirmed') !== (jir !== null)) return 'status and jir contradict each other'
  return undefined
}

const idOf = ({ kind, row }: SyncRecord): string => (kind === 'print_job' ? `${row.invoiceId}/${row.copy}` : row.id)

function toBase64(value: unknown): unknown {
  if (value === null) return null
  return Array.isArray(value) ? value.map(toBase64) : (value as Buffer).toString('base64')
}

/** What is no base64 the decoder leaves out, so that less comes of it than its length promises. */
function fromBase64(value: unknown): unknown {
  if (value === null) return null
  if (Array.isArray(value)) {
    const all = value.map(fromBase64)
    return all.includes(undefined) ? undefined : all
  }
  const text = String(value)
  const bytes = Buffer.from(text, 'base64')
  const filling = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - filling ? bytes : undefined
}

/** What may hold anything, by the names on the wire. */
const FREE: Partial<Record<SyncKind, readonly string[]>> = {
  company: ['address', 'fiscal_config'],
  device: ['device_config'],
  alert: ['detail'],
}

const MOST_BYTES = SYNC_BOUNDS.config.most
const MOST_LEVELS = SYNC_BOUNDS.configDepth.most

/** @returns why a row cannot be kept whose free fields hold more than `/v1` would have taken */
function faultInFree(kind: SyncKind, row: Record<string, unknown>): string | undefined {
  for (const name of FREE[kind] ?? []) {
    const value = row[name]
    if (isTooDeep(value, MOST_LEVELS)) return `${name} is nested more than ${MOST_LEVELS} levels deep`
    if (Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES) {
      return `${name} must have at most ${MOST_BYTES / 1024} KB`
    }
  }
  return undefined
}

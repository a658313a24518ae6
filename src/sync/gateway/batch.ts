import { setImmediate } from 'node:timers/promises'
import type { Premises } from '../../fiscal/ports/gateways.ts'
import type { OutboxEntry, RowKey, SyncKind, SyncRecord, SyncRows } from '../../fiscal/ports/outbox.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import { encodeRecord } from '../wire/records.ts'

export interface Batch {
  after: number
  position: number
  /** What it was made for, without the rows that others rest on. */
  entries: OutboxEntry[]
  /** Every row in it, at its version. */
  rows: (RowKey & { version: number })[]
  /** Where its devices stand that are not archived. */
  premises: Premises[]
  json: string
}

/** A record that keeps its place while others are told ahead of it: no position moves. */
export interface Held extends RowKey {
  /** The others were told up to this position. */
  ahead: number
}

export interface BatchDeps {
  store: Pick<Store, 'outbox'>
  /** Lets sales go first. */
  quiet: () => Promise<void>
}

/** Rows are read so many at a time: a sale that comes in meanwhile waits for no more. */
const SLICE = 12
/** Far below what the server takes. */
export const MOST_BYTES = 2 * 1024 * 1024

/**
 * The rows that changed after a position, with what they rest on and the server lacks: a row that changed again stands
 * behind those that rest on it. @param held instead: what follows this row, without it and what rests on it
 * @returns undefined when nothing has changed
 */
export async function nextBatch(
  { store, quiet }: BatchDeps,
  { position, tenantId }: { position: number; tenantId: string },
  { rows, bytes, held }: { rows: number; bytes: number; held?: Held | undefined },
): Promise<Batch | undefined> {
  const entries = await store.outbox.after(held?.ahead ?? position, rows)
  const step = held ? 1 : SLICE
  if (entries.length === 0) return undefined
  const batch: Batch = { after: position, position, entries: [], rows: [], premises: [], json: '' }
  const taken = new Set<string>()
  const parts: string[] = []
  let size = 0

  for (let start = 0; start < entries.length; start += step) {
    await quiet()
    const slice = entries.slice(start, start + step)
    const fresh = slice.filter((entry) => !taken.has(keyOf(entry)))
    const whole = await closed(store, await store.outbox.read(fresh, tenantId), taken, { position, tenantId })
    // What rests on a record waits for it.
    const records = held && whole.some((record) => keyOf(record) === keyOf(held)) ? [] : whole
    const encoded = records.map((record) => JSON.stringify(encodeRecord(record)))
    const weight = encoded.reduce((sum, json) => sum + Buffer.byteLength(json), 0)
    const isTooMuch = size + weight > bytes || batch.rows.length + records.length > SYNC_BOUNDS.records.most
    if (isTooMuch && start > 0) break
    // One slice that is too much by itself is sent row by row.
    if (isTooMuch && slice.length > 1)
      return nextBatch({ store, quiet }, { position, tenantId }, { rows: Math.ceil(slice.length / 2), bytes })
    size += weight
    parts.push(...encoded)
    for (const record of records) {
      taken.add(keyOf(record))
      batch.rows.push({ kind: record.kind, id: record.id, version: record.version })
      if (record.kind !== 'device' || record.row.status === 'archived') continue
      const { companyId, premisesCode } = record.row
      batch.premises.push({ companyId, premisesCode })
    }
    batch.entries.push(...slice)
    if (!held) batch.position = slice.at(-1)?.position ?? batch.position
    await setImmediate()
  }
  batch.json = bodyOf(batch, parts)
  return batch
}

/** The rows with those of their parents that the server does not have, parents and all. */
async function closed(
  store: BatchDeps['store'],
  records: readonly SyncRecord[],
  taken: ReadonlySet<string>,
  { position, tenantId }: { position: number; tenantId: string },
): Promise<SyncRecord[]> {
  const all = [...records]
  const known = new Set([...taken, ...records.map(keyOf)])
  let latest: readonly SyncRecord[] = records
  while (latest.length > 0) {
    const parents = new Map(latest.flatMap(parentsOf).map((key) => [keyOf(key), key] as const))
    const unknown = [...parents].filter(([key]) => !known.has(key)).map(([, key]) => key)
    for (const key of unknown) known.add(keyOf(key))
    const untold =
      unknown.length === 0 ? [] : (await store.outbox.of(unknown)).filter((entry) => entry.position > position)
    latest = untold.length === 0 ? [] : await store.outbox.read(untold, tenantId)
    all.unshift(...latest)
  }
  return all
}

/** The fields of a row that name rows it rests on. */
const PARENTS: { [K in SyncKind]?: { [F in keyof SyncRows[K]]?: SyncKind } } = {
  certificate: { companyId: 'company' },
  device: { companyId: 'company' },
  invoice: { companyId: 'company', certificateId: 'certificate', deviceId: 'device' },
  message: { invoiceId: 'invoice' },
  print_job: { deviceId: 'device', invoiceId: 'invoice' },
  request: { companyId: 'company', invoiceId: 'invoice' },
}

function parentsOf({ kind, row }: SyncRecord): RowKey[] {
  const ids = row as unknown as Record<string, string | null>
  const named = Object.entries(PARENTS[kind] ?? {}) as [field: string, kind: SyncKind][]
  return named.flatMap(([field, of]) => (ids[field] == null ? [] : [{ kind: of, id: ids[field] }]))
}

export function bodyOf({ after, position }: Pick<Batch, 'after' | 'position'>, records: readonly string[]): string {
  return `{"after":${after},"position":${position},"records":[${records.join(',')}]}`
}

export const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`

import { sql } from 'kysely'
import { higherReceiptNumber, sequenceRegister } from '../../../domain/sale/receipt-number.ts'
import { type Sequence, sequenceKey } from '../../../fiscal/ports/model.ts'
import type { SyncRows } from '../../../fiscal/ports/outbox.ts'
import type { ReplicaChanges } from '../../../fiscal/ports/replicas.ts'
import type { Db } from '../../sqlite/connection.ts'
import { companyOf } from '../alerts.ts'
import { insertMany } from '../bulk-statements.ts'
import { logos } from '../logos.ts'
import { numbersAhead } from '../numbers-ahead.ts'
import { dropForeignClaims } from './foreign-claims.ts'
import { moveWhatIsUnique } from './replica-moves.ts'

interface From {
  id: string
  tenantId: string
}

/**
 * Writes the rows of a batch, kind by kind: new rows with one bulk insert per kind, changed rows one by one.
 * @throws Overtaken when a row that was to change is not this gateway's any more
 */
export async function writeReplicas(db: Db, gateway: From, decided: ReplicaChanges): Promise<void> {
  const changes = await moveWhatIsUnique(db, gateway.id, decided)
  await writeCompanies(db, gateway, changes.company)
  await writeCertificates(db, gateway, changes.certificate)
  await writeDevices(db, gateway, changes.device)
  await writeInvoices(db, gateway, changes.invoice, changes.uncounted)
  await writeMessages(db, changes.message)
  await writePrintJobs(db, gateway, changes.print_job)
  await writeAlerts(db, gateway, changes.alert)
}

/** Another transaction changed a row between our read and our write: the whole batch has to be decided again. */
class Overtaken extends Error {
  /** PostgreSQL's code of a serialization failure: the ingest transaction is repeated. */
  readonly code = '40001'
  constructor() {
    super('a row belongs to somebody else by now')
    this.name = 'Overtaken'
  }
}

async function written(query: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<void> {
  const { numUpdatedRows } = await query.executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken()
}

async function writeCompanies(
  db: Db,
  { id: gatewayId, tenantId }: From,
  { insert, update }: ReplicaChanges['company'],
) {
  const columns = [
    ...(['id', 'tenantId', 'gatewayId', 'syncVersion', 'name', 'oib', 'vatRegistered', 'address'] as const),
    ...(['fiscalConfig', 'mode', 'status', 'createdAt', 'logoHash'] as const),
  ]
  const hashes = new Map<string, string>()
  for (const { id, row } of [...insert, ...update]) if (row.logo) hashes.set(id, await logos(db).put(row.logo))
  await insertMany(db, 'companies', columns, insert, ({ version, row }) => [
    ...[row.id, tenantId, gatewayId, version, row.name, row.oib, Number(row.vatRegistered)],
    ...[JSON.stringify(row.address), JSON.stringify(row.fiscalConfig), row.mode, row.status, row.createdAt],
    hashes.get(row.id) ?? null,
  ])
  await dropForeignClaims(
    db,
    insert.map(({ id }) => id),
  )
  for (const { id, version, row } of update) {
    const { name, mode, status } = row
    const query = db.updateTable('companies').set({
      name,
      mode,
      status,
      syncVersion: version,
      vatRegistered: Number(row.vatRegistered),
      address: JSON.stringify(row.address),
      fiscalConfig: JSON.stringify(row.fiscalConfig),
      logoHash: hashes.get(id) ?? null,
    })
    await written(query.where('id', '=', id).where('gatewayId', '=', gatewayId))
  }
}

/** Nothing is signed here with a gateway's certificate: its key never leaves the gateway. */
const NO_KEY = Buffer.alloc(0)

async function writeCertificates(db: Db, { id: gatewayId }: From, { insert, update }: ReplicaChanges['certificate']) {
  const columns = [
    ...(['id', 'companyId', 'gatewayId', 'syncVersion', 'label', 'subjectOib', 'subjectCn', 'issuer'] as const),
    ...(['serial', 'notBefore', 'notAfter', 'certificate', 'intermediates', 'sealedKey', 'uploadedAt'] as const),
    ...(['supersededAt', 'revokedAt'] as const),
  ]
  await insertMany(db, 'certificates', columns, insert, ({ version, row }) => [
    ...[row.id, row.companyId, gatewayId, version, row.label, row.subjectOib, row.subjectCn, row.issuer, row.serial],
    ...[row.notBefore, row.notAfter, row.certificate],
    JSON.stringify(row.intermediates.map((der) => der.toString('base64'))),
    ...[NO_KEY, row.uploadedAt, row.supersededAt, row.revokedAt],
  ])
  for (const { id, version, row } of update) {
    const { label, supersededAt, revokedAt } = row
    const set = { label, supersededAt, revokedAt, syncVersion: version }
    const query = db.updateTable('certificates').set(set)
    await written(query.where('id', '=', id).where('gatewayId', '=', gatewayId))
  }
}

async function writeDevices(db: Db, { id: gatewayId, tenantId }: From, { insert, update }: ReplicaChanges['device']) {
  const columns = [
    ...(['id', 'tenantId', 'companyId', 'gatewayId', 'syncVersion', 'premisesCode', 'premisesAddress'] as const),
    ...(['label', 'isuNumber', 'isuStatus', 'deviceConfig', 'status', 'installedAt', 'lastSeenAt'] as const),
    ...(['lastSuccessAt', 'createdAt'] as const),
  ]
  await insertMany(db, 'devices', columns, insert, ({ version, row }) => [
    ...[row.id, tenantId, row.companyId, gatewayId, version, row.premisesCode, row.premisesAddress, row.label],
    ...[row.isuNumber, row.isuStatus, JSON.stringify(row.deviceConfig), row.status, row.installedAt],
    ...[row.lastSeenAt, row.lastSuccessAt, row.createdAt],
  ])
  for (const { id, version, row } of update) {
    const { premisesAddress, label, isuNumber, isuStatus, status, installedAt, lastSeenAt, lastSuccessAt } = row
    const deviceConfig = JSON.stringify(row.deviceConfig)
    const query = db.updateTable('devices').set({
      premisesAddress,
      label,
      isuNumber,
      isuStatus,
      deviceConfig,
      status,
      installedAt,
      lastSeenAt,
      lastSuccessAt,
      syncVersion: version,
    })
    await written(query.where('id', '=', id).where('gatewayId', '=', gatewayId))
  }
}

async function writeInvoices(
  db: Db,
  { id: gatewayId, tenantId }: From,
  { insert, update }: ReplicaChanges['invoice'],
  uncounted: ReplicaChanges['uncounted'],
) {
  const rows = insert.map(({ row }) => row)
  await raiseNumbers(
    db,
    rows.filter(({ id }) => !uncounted?.has(id)),
  )
  await noteAhead(
    db,
    rows.filter(({ id }) => uncounted?.has(id)),
  )
  const columns = [
    ...(['id', 'tenantId', 'companyId', 'deviceId', 'certificateId', 'gatewayId', 'syncVersion', 'mode'] as const),
    ...(['status', 'jir', 'zki', 'premisesCode', 'year', 'sequenceRegister', 'number', 'numberSupplied'] as const),
    ...(['occurredAtText', 'occurredAt', 'document', 'receipt', 'lateDelivery', 'attempts', 'deadlineAt'] as const),
    ...([
      'confirmedAt',
      'createdAt',
      'lastErrorClass',
      'errorCode',
      'errorMessage',
      'journalPosition',
      'seal',
    ] as const),
  ]
  await insertMany(db, 'invoices', columns, insert, ({ version, row }) => [
    ...[row.id, tenantId, row.companyId, row.deviceId, row.certificateId, gatewayId, version, row.mode, row.status],
    ...[
      row.jir,
      row.document.zki,
      row.document.premisesCode,
      row.year,
      sequenceRegister(row.document),
      row.document.number,
    ],
    ...[Number(row.numberSupplied), row.occurredAtText, row.occurredAt, JSON.stringify(row.document)],
    ...[row.receipt && JSON.stringify(row.receipt), Number(row.lateDelivery), row.attempts, row.deadlineAt],
    ...[row.confirmedAt, row.createdAt, row.lastErrorClass, row.errorCode, row.errorMessage],
    ...[row.journalPosition, row.seal],
  ])
  for (const { id, version, row } of update) {
    const { status, jir, attempts, confirmedAt, lastErrorClass, errorCode, errorMessage } = row
    const lateDelivery = Number(row.lateDelivery)
    const query = db.updateTable('invoices').set({
      status,
      jir,
      lateDelivery,
      attempts,
      confirmedAt,
      lastErrorClass,
      errorCode,
      errorMessage,
      syncVersion: version,
    })
    await written(query.where('id', '=', id).where('gatewayId', '=', gatewayId))
  }
}

/** Stores numbers that an operator accepted without counting on from them, so that later numbering skips them. */
async function noteAhead(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
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
async function raiseNumbers(db: Db, rows: readonly SyncRows['invoice'][]): Promise<void> {
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
  const premises = ['companyId', 'mode', 'premisesCode', 'year'] as const
  const premisesOf = (one: Sequence) => [one.companyId, one.mode, one.premisesCode, one.year]
  await insertMany(
    db,
    'numberingLevels',
    [...premises, 'level'],
    await withoutLevel(db, inOrder),
    (one) => [...premisesOf(one), one.level],
    'ON CONFLICT DO NOTHING',
  )
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

async function writeMessages(db: Db, { insert }: ReplicaChanges['message']) {
  const columns = [
    ...(['id', 'invoiceId', 'messageUuid', 'attemptNo', 'httpStatus', 'errorCode', 'errorMessage'] as const),
    ...(['durationMs', 'createdAt', 'requestXml', 'responseXml'] as const),
  ]
  await insertMany(db, 'messages', columns, insert, ({ row }) => [
    ...[row.id, row.invoiceId, row.messageUuid, row.attemptNo, row.httpStatus, row.errorCode, row.errorMessage],
    ...[row.durationMs, row.createdAt, row.requestXml, row.responseXml],
  ])
}

async function writePrintJobs(db: Db, { id: gatewayId }: From, { insert, update }: ReplicaChanges['print_job']) {
  const columns = [
    ...(['invoiceId', 'copy', 'gatewayId', 'syncVersion', 'deviceId', 'status', 'createdAt', 'expiresAt'] as const),
    ...(['begunAt', 'endedAt', 'detail', 'reason'] as const),
  ]
  await insertMany(db, 'printJobs', columns, insert, ({ version, row }) => [
    ...[row.invoiceId, row.copy, gatewayId, version, row.deviceId, row.status, row.createdAt, row.expiresAt],
    ...[row.begunAt, row.endedAt, row.detail, row.reason],
  ])
  for (const { version, row } of update) {
    const { status, begunAt, endedAt, detail, reason } = row
    const query = db.updateTable('printJobs').set({ status, begunAt, endedAt, detail, reason, syncVersion: version })
    await written(
      query.where('invoiceId', '=', row.invoiceId).where('copy', '=', row.copy).where('gatewayId', '=', gatewayId),
    )
  }
}

async function writeAlerts(db: Db, { id: gatewayId, tenantId }: From, { insert, update }: ReplicaChanges['alert']) {
  const columns = [
    ...(['id', 'tenantId', 'gatewayId', 'syncVersion', 'kind', 'subject', 'detail', 'raisedAt'] as const),
    ...(['acknowledgedAt', 'acknowledgedBy', 'resolvedAt'] as const),
  ]
  await insertMany(db, 'alerts', columns, insert, ({ version, row }) => [
    ...[row.id, tenantId, gatewayId, version, row.kind, row.subject, JSON.stringify(row.detail), row.raisedAt],
    ...[row.acknowledgedAt, row.acknowledgedBy, row.resolvedAt],
  ])
  for (const { id, row } of [...insert, ...update]) {
    const whose = db.updateTable('alerts').set({ companyId: companyOf(tenantId, row.detail) })
    await whose.where('id', '=', id).where('gatewayId', '=', gatewayId).execute()
  }
  for (const { id, version, row } of update) {
    const { acknowledgedAt, acknowledgedBy, resolvedAt } = row
    const detail = JSON.stringify(row.detail)
    const query = db.updateTable('alerts').set((eb) => ({
      resolvedAt,
      detail,
      syncVersion: version,
      // An acknowledgement that is stored here stays, whatever the gateway's row says.
      acknowledgedAt: eb.fn.coalesce('acknowledgedAt', eb.val(acknowledgedAt)),
      acknowledgedBy: eb.fn.coalesce('acknowledgedBy', eb.val(acknowledgedBy)),
    }))
    await written(query.where('id', '=', id).where('gatewayId', '=', gatewayId))
  }
}

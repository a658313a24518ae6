import type { RecordOf } from '../../../fiscal/ports/outbox.ts'
import type { ReplicaChanges } from '../../../fiscal/ports/replicas.ts'
import type { Db } from '../../sqlite/connection.ts'
import { matching } from '../queries.ts'

/** The version of a row without a record yet: the next record of the row counts, whatever its version is. */
const UNKNOWN = 0

/**
 * Records contain the final state of rows, not the order of the changes: two devices that swapped their ISU numbers
 * come one after the other. Within a gateway a unique value belongs to one row at a time, so the newer record of two
 * rows shows that the other row gave the value up. The record of that other row comes later, and then counts whatever
 * its version is.
 * @returns the changes to write, without unique values that a newer row holds here
 */
export async function moveWhatIsUnique(db: Db, gatewayId: string, changes: ReplicaChanges): Promise<ReplicaChanges> {
  return {
    ...changes,
    certificate: await moveUse(db, gatewayId, changes.certificate),
    device: await moveNames(db, gatewayId, changes.device),
    alert: await moveAlerts(db, gatewayId, changes.alert),
  }
}

async function moveUse(db: Db, gatewayId: string, changes: ReplicaChanges['certificate']) {
  const isInUse = ({ row }: RecordOf<'certificate'>) => row.supersededAt === null && row.revokedAt === null
  const moving = moves(changes)
  const inUse = moving.records.filter(isInUse)
  if (inUse.length === 0) return changes
  const companies = [...new Set(inUse.map(({ row }) => row.companyId))]
  const holders = await db
    .selectFrom('certificates')
    .select(['id', 'companyId', 'uploadedAt', 'syncVersion'])
    .where('gatewayId', '=', gatewayId)
    .where('companyId', 'in', companies)
    .where(matching({ supersededAt: null, revokedAt: null }))
    .execute()
  for (const holder of holders) {
    const rival = inUse.find(({ id, row }) => id !== holder.id && row.companyId === holder.companyId)
    if (!rival || moving.yields(rival, holder, { supersededAt: holder.uploadedAt })) continue
    const ended = { supersededAt: rival.row.uploadedAt, syncVersion: UNKNOWN }
    await db.updateTable('certificates').set(ended).where('id', '=', holder.id).execute()
  }
  return moving.moved()
}

async function moveAlerts(db: Db, gatewayId: string, changes: ReplicaChanges['alert']) {
  const moving = moves(changes)
  const open = moving.records.filter(({ row }) => row.resolvedAt === null)
  if (open.length === 0) return changes
  const holders = await db
    .selectFrom('alerts')
    .select(['id', 'kind', 'subject', 'raisedAt', 'syncVersion'])
    .where('gatewayId', '=', gatewayId)
    .where('subject', 'in', [...new Set(open.map(({ row }) => row.subject))])
    .where('resolvedAt', 'is', null)
    .execute()
  for (const holder of holders) {
    const isRival = ({ id, row }: RecordOf<'alert'>) =>
      id !== holder.id && row.kind === holder.kind && row.subject === holder.subject
    const rival = open.find(isRival)
    if (!rival || moving.yields(rival, holder, { resolvedAt: holder.raisedAt })) continue
    const ended = { resolvedAt: rival.row.raisedAt, syncVersion: UNKNOWN }
    await db.updateTable('alerts').set(ended).where('id', '=', holder.id).execute()
  }
  return moving.moved()
}

const NO_NUMBER = { isuNumber: null, isuStatus: 'pending' } as const

async function moveNames(db: Db, gatewayId: string, changes: ReplicaChanges['device']) {
  const moving = moves(changes)
  const { records } = moving
  if (records.length === 0) return changes
  const holders = await db
    .selectFrom('devices')
    .select(['id', 'companyId', 'label', 'isuNumber', 'syncVersion'])
    .where('gatewayId', '=', gatewayId)
    .where((eb) => {
      const numbers = records.flatMap(({ row }) => row.isuNumber ?? [])
      const labels = records.map(({ row }) => row.label)
      return eb.or([eb('label', 'in', labels), ...(numbers.length > 0 ? [eb('isuNumber', 'in', numbers)] : [])])
    })
    .execute()
  for (const holder of holders) {
    const others = records.filter(({ id }) => id !== holder.id)
    const byNumber = others.find(({ row }) => row.isuNumber !== null && row.isuNumber === holder.isuNumber)
    const byLabel = others.find(({ row }) => row.companyId === holder.companyId && row.label === holder.label)
    const given = {
      ...(byNumber && !moving.yields(byNumber, holder, NO_NUMBER) && NO_NUMBER),
      ...(byLabel && !moving.yields(byLabel, holder, { label: byLabel.id }) && { label: holder.id }),
    }
    if (Object.keys(given).length === 0) continue
    const set = { ...given, syncVersion: UNKNOWN }
    await db.updateTable('devices').set(set).where('id', '=', holder.id).execute()
  }
  return moving.moved()
}

interface Word {
  id: string
  version: number
  row: object
}

/** The records of one kind, some of which are written without a unique value. */
function moves<One extends Word>({ insert, update }: { insert: One[]; update: One[] }) {
  const records = [...insert, ...update]
  const ids = new Set(records.map(({ id }) => id))
  const yielded = new Map<string, Partial<One['row']>>()
  const moved = (record: One): One => {
    const without = yielded.get(record.id)
    return without ? { ...record, version: UNKNOWN, row: { ...record.row, ...without } } : record
  }
  return {
    records,
    /** Whether a record is older than the row that holds its unique value; it is then written without the value. */
    yields({ id, version }: One, holder: { id: string; syncVersion: number }, without: Partial<One['row']>): boolean {
      // A row of the same batch is about to change.
      if (ids.has(holder.id) || holder.syncVersion <= version) return false
      yielded.set(id, { ...yielded.get(id), ...without })
      return true
    },
    moved: () => ({ insert: insert.map(moved), update: update.map(moved) }),
  }
}

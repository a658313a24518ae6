import { sql } from 'kysely'
import type { ReplicaChanges } from '../fiscal/sync-port.ts'
import type { Db } from './connection.ts'

/**
 * Rows come as they are at the end, not in the order in which they became it: two devices that have swapped their ISU
 * numbers come one after the other. Within a gateway nothing unique is held twice at any moment, so the newest word on
 * one row tells that the row which holds it here has given it up; what that row is now comes with its own record.
 */
export async function moveWhatIsUnique(db: Db, gatewayId: string, changes: ReplicaChanges): Promise<void> {
  await giveUpDeviceNames(db, gatewayId, changes.device)
  for (const { id, row } of both(changes.certificate)) {
    if (row.supersededAt !== null || row.revokedAt !== null) continue
    await db
      .updateTable('certificates')
      .set({ supersededAt: row.uploadedAt })
      .where('companyId', '=', row.companyId)
      .where('gatewayId', '=', gatewayId)
      .where('id', '<>', id)
      .where('supersededAt', 'is', null)
      .where('revokedAt', 'is', null)
      .execute()
  }
  for (const { id, row } of both(changes.alert)) {
    if (row.resolvedAt !== null) continue
    await db
      .updateTable('alerts')
      .set({ resolvedAt: row.raisedAt })
      .where('gatewayId', '=', gatewayId)
      .where('kind', '=', row.kind)
      .where('subject', '=', row.subject)
      .where('id', '<>', id)
      .where(sql<boolean>`resolved_at IS NULL`)
      .execute()
  }
}

async function giveUpDeviceNames(db: Db, gatewayId: string, devices: ReplicaChanges['device']): Promise<void> {
  const changed = both(devices)
  if (changed.length === 0) return
  const holders = await db
    .selectFrom('devices')
    .select(['id', 'companyId', 'label', 'isuNumber'])
    .where('gatewayId', '=', gatewayId)
    .where((eb) => {
      const numbers = changed.flatMap(({ row }) => row.isuNumber ?? [])
      const labels = changed.map(({ row }) => row.label)
      return eb.or([eb('label', 'in', labels), ...(numbers.length > 0 ? [eb('isuNumber', 'in', numbers)] : [])])
    })
    .execute()
  for (const holder of holders) {
    const others = changed.filter(({ id }) => id !== holder.id)
    if (others.some(({ row }) => row.isuNumber !== null && row.isuNumber === holder.isuNumber)) {
      const none = { isuNumber: null, isuStatus: 'pending' as const }
      await db.updateTable('devices').set(none).where('id', '=', holder.id).execute()
    }
    if (others.some(({ row }) => row.companyId === holder.companyId && row.label === holder.label)) {
      await db.updateTable('devices').set({ label: holder.id }).where('id', '=', holder.id).execute()
    }
  }
}

const both = <T>({ insert, update }: { insert: T[]; update: T[] }) => [...insert, ...update]

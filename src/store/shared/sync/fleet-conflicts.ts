import { sql } from 'kysely'
import type { FleetConflict, Gateways } from '../../../fiscal/ports/gateways.ts'
import type { Db } from '../../sqlite/connection.ts'

const COLUMN = { label: 'label', isu_number: 'isuNumber' } as const

/** Devices of several gateways with one label in a company, or one ISU number. @param narrow only these values */
export async function fleetConflicts(
  db: Db,
  tenantId: string,
  narrow?: Parameters<Gateways['conflicts']>[1],
): Promise<FleetConflict[]> {
  const labels = await conflictsOf(db, tenantId, 'label', narrow?.labels)
  return [...labels, ...(await conflictsOf(db, tenantId, 'isu_number', narrow?.isuNumbers))]
}

async function conflictsOf(
  db: Db,
  tenantId: string,
  what: FleetConflict['what'],
  values: readonly string[] | undefined,
): Promise<FleetConflict[]> {
  if (values?.length === 0) return []
  const column = COLUMN[what]
  const [value, company] = [sql.ref(column), sql.ref(what === 'label' ? 'companyId' : 'tenantId')]
  let query = db
    .selectFrom('devices')
    .select(['id', 'gatewayId', 'label', 'premisesCode', 'companyId', 'isuNumber'])
    .where('tenantId', '=', tenantId)
    .where('status', '<>', 'archived')
    .where(column, 'is not', null)
    .orderBy(column)
    .orderBy('createdAt')
    .orderBy('id')
  if (values) query = query.where(column, 'in', values)
  query = query.where(
    sql<boolean>`(${company}, ${value}) IN (
      SELECT ${company}, ${value} FROM devices
      WHERE tenant_id = ${tenantId} AND status <> 'archived' AND ${value} IS NOT NULL
        ${values ? sql`AND ${value} IN (${sql.join(values)})` : sql``}
      GROUP BY ${company}, ${value} HAVING count(DISTINCT gateway_id) > 1)`,
  )
  const found = new Map<string, FleetConflict>()
  for (const { companyId, isuNumber, ...device } of await query.execute()) {
    const text = what === 'label' ? device.label : String(isuNumber)
    const key = what === 'label' ? `${companyId}/${text}` : text
    const conflict = found.get(key) ?? { what, value: text, companyId, devices: [] }
    conflict.devices.push(device)
    found.set(key, conflict)
  }
  return [...found.values()]
}

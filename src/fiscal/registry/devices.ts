import { conflict, FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { nameOf } from '../../domain/texts/name.ts'
import { audit, changesBetween } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireScope, requireTheirs } from '../access/principal.ts'
import { realmOf } from '../access/realm.ts'
import type { Context } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import { type Device, type IsuStatus, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Realm, Slice } from '../ports/rows/lists.ts'
import type { DeviceFilter } from '../ports/rows/registry.ts'
import { Duplicate, type StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { findCompany } from './companies.ts'
import { requireSmall, requireValidSettings } from './config-limits.ts'
import type { PlacingContext } from './context.ts'
import { type Expected, requireExpected } from './expected-fields.ts'
import { auditedClaim, claimNewPremises } from './new-premises.ts'
import { requireFreePremises, requireOurs } from './owned-by-gateway.ts'

export type NewDevice = Pick<
  Device,
  'companyId' | 'premisesCode' | 'premisesAddress' | 'label' | 'isuNumber' | 'deviceConfig'
>

const FIELDS = ['label', 'premisesAddress', 'isuNumber', 'isuStatus', 'deviceConfig', 'status'] as const

/** The changes of a device, for the audit log. */
export const deviceChanges = (before: Device, after: Device) =>
  changesBetween(before, after, FIELDS, ['label', 'premisesAddress', 'isuNumber', 'isuStatus', 'status'])

/** Only the given fields change; `deviceConfig` is replaced as a whole. The status of an ISU number follows from it. */
export type DeviceChanges = Partial<Omit<Pick<Device, (typeof FIELDS)[number]>, 'isuStatus'>>

/** @throws FiskError 404 for the company, 409 (label, ISU number), `mode_mismatch`, `premises_owned_by_gateway` */
export async function addDevice(
  { store, clock, newUuid, premises }: PlacingContext,
  principal: Principal,
  device: NewDevice,
  keep?: Keep<Device>,
): Promise<Device> {
  requireScope(principal, 'fleet:write')
  requireSmall({ device_config: device.deviceConfig })
  requireValidSettings('device_config', device.deviceConfig)
  const company = await findCompany(store, principal, device.companyId)
  requireOurs('company', company, 'company_id')
  const { tenantId } = company
  const label = nameOf('label', device.label)
  const stored = newDevice({ ...device, label, companyId: company.id }, { id: newUuid(), tenantId, now: clock.now() })
  await requireFreeLabel(store, stored)
  const claimed = await claimNewPremises({ store, premises }, tenantId, [stored])
  const refused = claimed.refused.get(stored.premisesCode)
  if (refused) throw refused
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('premises')
    await requireFreePremises(tx, stored)
    await refuseTaken(tx, principal, stored, () => tx.devices.insert(stored))
    const { id, companyId, premisesCode, label, isuNumber } = stored
    const detail = { id, company_id: companyId, premises_code: premisesCode, label, isu_number: isuNumber }
    await audit(tx, principal, stored.createdAt, 'device.added', { ...detail, ...auditedClaim(claimed) })
    return stored
  })
}

/** The initial state of a new device. */
export function newDevice(
  device: NewDevice,
  { id, tenantId, now }: { id: string; tenantId: string; now: EpochMs },
): Device {
  return {
    ...device,
    id,
    gatewayId: LOCAL_GATEWAY,
    tenantId,
    isuStatus: isuStatusOf(device.isuNumber),
    status: 'active',
    installedAt: now,
    lastSeenAt: null,
    lastSuccessAt: null,
    createdAt: now,
  }
}

/**
 * @param changes or how to make them of the present device, in the transaction that stores them
 * @throws FiskError 404, 409 (label, ISU number, not as `seen`), `mode_mismatch`, `premises_owned_by_gateway`
 */
export async function changeDevice(
  { store, clock, premises }: PlacingContext,
  principal: Principal,
  deviceId: string,
  changes: DeviceChanges | ((present: Device) => DeviceChanges),
  keep?: Keep<Device>,
  seen?: Expected<Device>,
): Promise<Device> {
  requireScope(principal, 'fleet:write')
  const updateOf = (present: Device) => {
    const wanted = typeof changes === 'function' ? changes(present) : changes
    requireSmall({ device_config: wanted.deviceConfig })
    requireValidSettings('device_config', wanted.deviceConfig, present.deviceConfig)
    const { isuNumber, label } = wanted
    return {
      ...wanted,
      ...(label !== undefined && { label: nameOf('label', label) }),
      ...(isuNumber !== undefined && { isuStatus: isuStatusOf(isuNumber) }),
    }
  }
  const before = await findDevice(store, principal, deviceId)
  const isBack = before.status === 'archived' && (updateOf(before).status ?? 'archived') !== 'archived'
  const claimed = await claimNewPremises({ store, premises }, before.tenantId, isBack ? [before] : [])
  const refused = claimed.refused.get(before.premisesCode)
  if (refused) throw refused
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('premises')
    const device = await findDevice(tx, principal, deviceId)
    requireOurs('device', device, 'id')
    await findCompany(tx, principal, device.companyId, 'id')
    requireExpected(device, seen)
    const update = updateOf(device)
    const after = { ...device, ...update }
    if (after.label !== device.label) await requireFreeLabel(tx, after)
    // Another seller may have started there while the device was archived.
    if (device.status === 'archived' && after.status !== 'archived') await requireFreePremises(tx, device)
    await refuseTaken(tx, principal, after, () => tx.devices.update(deviceId, update))
    const changed = deviceChanges(device, after)
    const { id, companyId, label } = device
    const about = { id, company_id: companyId, label, changed, ...auditedClaim(claimed) }
    if (changed) await audit(tx, principal, clock.now(), 'device.changed', about)
    return after
  })
}

/** @throws FiskError 404 when the tenant has no such device, or the principal is limited to other companies */
export async function findDevice(
  tx: Pick<StoreTransaction, 'devices'>,
  principal: Pick<Principal, 'tenantId' | 'companyIds'>,
  deviceId: string,
  param = 'id',
): Promise<Device> {
  return requireTheirs(principal, await tx.devices.get(deviceId), 'device', param)
}

/** The devices that the principal may see, the oldest first. @throws FiskError `insufficient_scope` */
export async function listDevices(
  { store, clock }: Context,
  principal: Principal,
  { allTenants, ...filter }: Omit<DeviceFilter, 'id' | keyof Realm> & { allTenants: boolean },
  slice: Slice,
): Promise<Page<Device>> {
  requireScope(principal, 'fleet:read')
  const realm = await realmOf({ store, clock }, principal, allTenants, 'devices')
  const { tenantId } = principal
  const id = principal.deviceId ?? undefined
  const companyId = filter.companyId && (await store.companies.idWithin(tenantId, filter.companyId))
  return pageOf(
    slice,
    (wanted) => store.devices.list({ ...realm, ...filter, companyId, id }, wanted),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  )
}

export function isuStatusOf(isuNumber: string | null): IsuStatus {
  return isuNumber === null ? 'pending' : 'assigned'
}

/** Called before the premises is claimed, so that a refused device claims none. */
async function requireFreeLabel(store: StoreTransaction, { id, companyId, label }: Device): Promise<void> {
  const namesake = await store.devices.labelled(companyId, label)
  if (namesake && namesake.id !== id) throw labelTaken(label)
}

async function refuseTaken(
  tx: StoreTransaction,
  principal: Principal,
  device: Device,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error
    const namesake = await tx.devices.labelled(device.companyId, device.label)
    if (namesake && namesake.id !== device.id) throw labelTaken(device.label)
    throw isuNumberTaken(
      principal,
      device.isuNumber,
      device.isuNumber === null ? undefined : await tx.devices.withIsuNumber(device.isuNumber),
    )
  }
}

function labelTaken(label: string) {
  return conflict('label', `the company already has a device labelled ${label}`, 'label_taken')
}

/** @param holder the device that has the number; it is named only to a principal who may see it */
export function isuNumberTaken(principal: Principal, isuNumber: string | null, holder?: Device) {
  const isOurs =
    holder !== undefined && holder.tenantId === principal.tenantId && reachesCompany(principal, holder.companyId)
  const who = isOurs ? `${holder.label} at premises ${holder.premisesCode}` : 'another device'
  return new FiskError('invalid_request', `the ISU number ${isuNumber} already belongs to ${who}`, {
    status: 409,
    param: 'isu_number',
    reason: 'isu_number_taken',
    ...(isOurs && { about: `${holder.label}, ${holder.premisesCode}` }),
  })
}

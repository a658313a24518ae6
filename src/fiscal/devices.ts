import { conflict, notFound } from '../domain/errors.ts'
import type { Company, Device, IsuStatus } from './model.ts'
import type { Clock } from './ports.ts'
import { type Principal, requireMode, requireScope } from './principal.ts'
import { Duplicate, type Store, type StoreTransaction } from './store-port.ts'

export type NewDevice = Pick<
  Device,
  'companyId' | 'premisesCode' | 'premisesAddress' | 'label' | 'isuNumber' | 'deviceConfig'
>

/** Only what is present changes; `deviceConfig` is replaced as a whole. */
export type DeviceChanges = Partial<Pick<Device, 'label' | 'premisesAddress' | 'isuNumber' | 'deviceConfig' | 'status'>>

interface Deps {
  store: Store
  clock: Clock
  newUuid: () => string
}

/** @throws FiskError 404 for an unknown company, 409 for a taken label or ISU number, `mode_mismatch` */
export async function addDevice(
  { store, clock, newUuid }: Deps,
  principal: Principal,
  device: NewDevice,
): Promise<Device> {
  requireScope(principal, 'fleet:write')
  const company = await findCompany(store, principal, device.companyId)
  const now = clock.now()
  const stored: Device = {
    ...device,
    id: newUuid(),
    tenantId: company.tenantId,
    isuStatus: isuStatusOf(device.isuNumber),
    status: 'active',
    installedAt: now,
    lastSeenAt: null,
    lastSuccessAt: null,
    createdAt: now,
  }
  await store.transaction(async (tx) => {
    await refuseTaken(tx, stored, () => tx.devices.insert(stored))
  })
  return stored
}

/** @throws FiskError 404 for an unknown device, 409 for a taken label or ISU number, `mode_mismatch` */
export async function changeDevice(
  { store }: Deps,
  principal: Principal,
  deviceId: string,
  changes: DeviceChanges,
): Promise<Device> {
  requireScope(principal, 'fleet:write')
  const { isuNumber } = changes
  const update = { ...changes, ...(isuNumber !== undefined && { isuStatus: isuStatusOf(isuNumber) }) }
  return store.transaction(async (tx) => {
    const device = await tx.devices.get(deviceId)
    if (device?.tenantId !== principal.tenantId) throw notFound('id', 'there is no such device')
    await findCompany(tx, principal, device.companyId)
    const changed = { ...device, ...update }
    await refuseTaken(tx, changed, () => tx.devices.update(deviceId, update))
    return changed
  })
}

/** @throws FiskError 404 when the tenant has no such company, `mode_mismatch` */
export async function findCompany(tx: StoreTransaction, principal: Principal, companyId: string): Promise<Company> {
  const company = await tx.companies.get(companyId)
  if (company?.tenantId !== principal.tenantId) throw notFound('company_id', 'there is no such company')
  requireMode(principal, company.mode, 'company_id')
  return company
}

function isuStatusOf(isuNumber: string | null): IsuStatus {
  return isuNumber === null ? 'pending' : 'assigned'
}

async function refuseTaken(tx: StoreTransaction, device: Device, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error
    const sameLabel = await tx.devices.named(device.tenantId, device.label)
    const labelTaken = sameLabel.some(({ id, companyId }) => id !== device.id && companyId === device.companyId)
    throw labelTaken
      ? conflict('label', `the company already has a device labelled ${device.label}`)
      : conflict('isu_number', `the ISU number ${device.isuNumber} already belongs to another device`)
  }
}

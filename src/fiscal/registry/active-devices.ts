import { inSlices } from '../in-slices.ts'
import type { Company, Device } from '../ports/model.ts'
import type { DeviceFilter } from '../ports/rows/registry.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The active devices that fit, the oldest first. */
export const activeDevices = ({ devices }: StoreTransaction, filter: DeviceFilter) =>
  inSlices((slice) => devices.list({ ...filter, status: 'active' }, slice))

/** A device and the company that sells with it. */
export interface Machine {
  device: Device
  company: Company
}

/** The own active devices of active companies. */
export async function* ownMachines(store: StoreTransaction): AsyncGenerator<Machine> {
  const companies = new Map((await store.companies.ours()).map((company) => [company.id, company]))
  for await (const device of activeDevices(store, OURS)) {
    const company = companies.get(device.companyId)
    if (company?.status === 'active') yield { device, company }
  }
}

/** Devices of all companies of this machine. */
export const OURS = { tenantId: null, mode: null, companyIds: null, ours: true } as const

import { resolveField } from '../../../domain/sale/config-chain.ts'
import { withDeviceName } from '../../../domain/shell-word.ts'
import type { BlockerCause } from '../../../domain/texts/blocker-texts.ts'
import { inSlices } from '../../in-slices.ts'
import type { Company, Device } from '../../ports/model.ts'
import type { Realm } from '../../ports/rows/lists.ts'
import type { StoreTransaction } from '../../ports/store.ts'
import { type Blocker, type DeviceCounts, forTenant } from './blocker.ts'

/** The companies and devices to check: of one tenant or of all, of some companies or of all (null). */
export type BlockerRealm = Pick<Realm, 'tenantId' | 'companyIds'>

/** Beyond this, machines with the same problem are counted, not listed. */
const MOST_NAMED = 5

/** @param isStopped whether its company or premises prevents a device from selling with this register mark */
export async function deviceBlockers(
  store: StoreTransaction,
  companies: Company[],
  isStopped: (device: Device, register: string | null) => boolean,
  only: Device | undefined,
  realm: BlockerRealm,
): Promise<{ problems: Blocker[]; devices: DeviceCounts }> {
  const configs = new Map(companies.map(({ id, fiscalConfig }) => [id, fiscalConfig]))
  const devices: DeviceCounts = { total: 0, withoutIsu: 0, able: 0 }
  const without: Device[] = []
  const refused: Device[] = []
  const suspended: Device[] = []
  const all = inSlices((slice) => store.devices.list({ ...realm, mode: null, ours: true }, slice))
  for await (const device of only ? [only] : all) {
    if (device.status === 'suspended') suspended.push(device)
    if (device.status !== 'active') continue
    devices.total++
    if (device.isuNumber === null) devices.withoutIsu++
    // An attended sale has the mark of a cash register instead.
    const levels = { request: {}, configured: [device.deviceConfig, configs.get(device.companyId) ?? {}] }
    const usesNumber = resolveField('sale_type', levels) !== 'attended'
    if (usesNumber && device.isuNumber === null) without.push(device)
    else if (usesNumber && device.isuStatus === 'mismatch') refused.push(device)
    else if (!isStopped(device, resolveField('register_mark', levels) ?? null)) devices.able++
  }
  const none = devices.total === 0 && suspended.length === 0 ? [only ? archived(only) : NO_DEVICE] : []
  return {
    problems: [...none, ...named(without, WITHOUT_ISU), ...named(refused, REFUSED_ISU), ...named(suspended, SUSPENDED)],
    devices,
  }
}

const NO_DEVICE: Blocker = {
  cause: 'no_device',
  subject: 'device',
  problem: 'there is no active device',
  fix: 'fisk device add --company OIB --premises CODE --label LABEL',
}

const archived = ({ id, label, tenantId }: Device): Blocker => ({
  cause: 'device_archived',
  deviceId: id,
  subject: label,
  problem: 'the device is archived',
  fix: forTenant(tenantId, withDeviceName('fisk device set DEVICE --status active', label)),
})

interface Kind {
  cause: BlockerCause
  one: string
  many: string
  fix: string
  fixAll: string
}

const WITHOUT_ISU: Kind = {
  cause: 'isu_missing',
  one: 'it has no ISU number',
  many: 'devices have no ISU number',
  fix: 'fisk isu set DEVICE NUMBER',
  fixAll: 'fisk isu pending',
}

/** Sales are accepted here but get no JIR. */
const REFUSED_ISU: Kind = {
  cause: 'isu_mismatch',
  one: 'the tax authority knows other data of its ISU number, so its sales get no JIR',
  many: 'devices have an ISU number of which the tax authority knows other data, so their sales get no JIR',
  fix: 'compare number, premises code and address in the portal (ePorezna), then fisk isu set DEVICE NUMBER',
  fixAll: 'fisk device list --isu-status mismatch',
}

const SUSPENDED: Kind = {
  cause: 'device_suspended',
  one: 'the device is suspended',
  many: 'devices are suspended',
  fix: 'fisk device set DEVICE --status active',
  fixAll: 'fisk device list --status suspended',
}

function named(devices: Device[], { cause, one, many, fix, fixAll }: Kind): Blocker[] {
  if (devices.length > MOST_NAMED) {
    const count = devices.length
    return [{ cause, count, subject: 'device', problem: `${count} ${many}`, fix: fixAll }]
  }
  return devices.map(({ id, label, tenantId }) => ({
    cause,
    deviceId: id,
    subject: label,
    problem: one,
    fix: forTenant(tenantId, withDeviceName(fix, label)),
  }))
}

import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Device, JsonObject } from '../../fiscal/ports/model.ts'
import type { DeviceChanges } from '../../fiscal/registry/devices.ts'
import { requireExpected } from '../../fiscal/registry/expected-fields.ts'
import { readExpected } from '../expected-fields.ts'
import type { DashboardDeps, PageContext, ShowAgain } from '../page-routes.ts'

/** The device of the address. @throws FiskError 404 */
export function deviceOf({ office }: Pick<DashboardDeps, 'office'>, context: PageContext): Promise<DeviceFile> {
  return office.fleet.findDevice(context.principal, context.params.id ?? '')
}

interface Change {
  changes: DeviceChanges
  /** What the form showed. */
  keys: readonly (keyof Device)[]
  refused: ShowAgain
  /** Where it leads on to; to the page of the device when left out. */
  to?: string
}

/**
 * Changes a device where it is decided on: here, or at its gateway by a command, which this server cannot refuse for what
 * only the gateway knows.
 */
export function changeDevice(
  { v1, admin }: Pick<DashboardDeps, 'v1' | 'admin'>,
  { once, principal, form }: PageContext,
  { device, gateway }: DeviceFile,
  { changes, keys, refused, to = `/dashboard/devices/${device.id}` }: Change,
): Promise<unknown> {
  if (gateway === null) {
    return once<Device>(
      async (keep) => v1.changeDevice(principal, device.id, changes, keep, readExpected(form.seen, keys)),
      { to, notice: 'saved', refused },
    )
  }
  return once<GatewayCommand>(
    async (keep) => {
      requireExpected(device, readExpected<Device, keyof Device>(form.seen, keys))
      return admin.commands.sendCommand(principal, device.gatewayId, commandOf(device.id, changes), keep)
    },
    { to, notice: 'sent_to_gateway', refused },
  )
}

function commandOf(deviceId: string, { isuNumber, ...changes }: DeviceChanges): { type: string; body: JsonObject } {
  if (isuNumber !== undefined) {
    return { type: 'device.set_isu', body: { device_id: deviceId, isu_number: isuNumber } }
  }
  const { label, premisesAddress, deviceConfig, status } = changes
  const body = {
    device_id: deviceId,
    ...(label !== undefined && { label }),
    ...(premisesAddress !== undefined && { premises_address: premisesAddress }),
    ...(deviceConfig !== undefined && { device_config: deviceConfig }),
    ...(status !== undefined && { status }),
  }
  return { type: 'device.change', body }
}

import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import type { Device, JsonObject } from '../../fiscal/ports/model.ts'
import type { DeviceChanges } from '../../fiscal/registry/devices.ts'
import { type Expected, requireExpected } from '../../fiscal/registry/expected-fields.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

export interface Change {
  changes: DeviceChanges
  /** What the form showed. */
  seen: Expected<Device>
  /** Where it leads on to. */
  to: string
}

/**
 * Changes a device where it is decided on: here, or at its gateway by a command, which this server cannot refuse for what
 * only the gateway knows.
 * @throws FiskError as `changeDevice` and `sendCommand` do
 */
export function changeDevice(
  { v1, admin }: Pick<DashboardDeps, 'v1' | 'admin'>,
  context: PageContext,
  { device, gateway }: DeviceFile,
  { changes, seen, to }: Change,
): Promise<unknown> {
  if (gateway === null) {
    return context.once((keep) => v1.changeDevice(context.principal, device.id, changes, keep, seen), to, 'saved')
  }
  requireExpected(device, seen)
  return context.once(
    (keep) => admin.commands.sendCommand(context.principal, device.gatewayId, commandOf(device.id, changes), keep),
    to,
    'sent_to_gateway',
  )
}

function commandOf(deviceId: string, { isuNumber, ...changes }: DeviceChanges): { type: string; body: JsonObject } {
  if (isuNumber !== undefined) {
    return { type: 'device.set_isu', body: { device_id: deviceId, isu_number: isuNumber } }
  }
  const { label, premisesAddress, deviceConfig, status } = changes
  const body = {
    ...{ device_id: deviceId },
    ...(label !== undefined && { label }),
    ...(premisesAddress !== undefined && { premises_address: premisesAddress }),
    ...(deviceConfig !== undefined && { device_config: deviceConfig }),
    ...(status !== undefined && { status }),
  }
  return { type: 'device.change', body }
}

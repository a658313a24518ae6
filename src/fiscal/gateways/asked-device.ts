import { withMember } from '../../domain/sale/config-chain.ts'
import type { GatewayCommand } from '../ports/gateway-commands.ts'
import type { Device, JsonObject } from '../ports/model.ts'
import { type DeviceChanges, isuStatusOf } from '../registry/devices.ts'

/** A device as it will be once its gateway has done what waits, in order. */
export function askedDevice(device: Device, commands: readonly Pick<GatewayCommand, 'type' | 'body'>[]): Device {
  const asked = { ...device }
  for (const { type, body } of commands) {
    if (body.device_id !== device.id) continue
    if (type === 'device.set_isu') {
      asked.isuNumber = body.isu_number as Device['isuNumber']
      asked.isuStatus = isuStatusOf(asked.isuNumber)
    }
    if (type === 'device.set_setting') {
      asked.deviceConfig = withMember(asked.deviceConfig, String(body.setting), body.value)
    }
    if (type !== 'device.change') continue
    const { label, premises_address, device_config, status } = body
    if (label !== undefined) asked.label = label as Device['label']
    if (premises_address !== undefined) asked.premisesAddress = premises_address as Device['premisesAddress']
    if (device_config !== undefined) asked.deviceConfig = device_config as Device['deviceConfig']
    if (status !== undefined) asked.status = status as Device['status']
  }
  return asked
}

/** The command that changes a device of a gateway. */
export function commandOf(
  deviceId: string,
  { isuNumber, ...changes }: DeviceChanges,
): { type: string; body: JsonObject } {
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

import { withMember } from '../../domain/sale/config-chain.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
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
    if (type === 'device.change') Object.assign(asked, changesIn(body))
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
  const named = CHANGED.flatMap((name) => (changes[name] === undefined ? [] : [[snakeCase(name), changes[name]]]))
  return { type: 'device.change', body: { device_id: deviceId, ...Object.fromEntries(named) } }
}

/** What `device.change` changes, by the names of the program; in a body they are in snake case. */
const CHANGED = ['label', 'premisesAddress', 'deviceConfig', 'status'] as const

/** The changes of a device in the body of `device.change`, whose shape was checked. */
export function changesIn(body: JsonObject): DeviceChanges {
  const named = CHANGED.map((name) => [name, body[snakeCase(name)]] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

import { isDeepStrictEqual } from 'node:util'
import { askedDevice, commandOf } from '../../fiscal/gateways/asked-device.ts'
import type { CommandStanding } from '../../fiscal/gateways/command-list.ts'
import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import type { DeviceChanges } from '../../fiscal/registry/devices.ts'
import { requireExpected } from '../../fiscal/registry/expected-fields.ts'
import { addressOf } from '../addresses.ts'
import { readExpected, writeExpected } from '../expected-fields.ts'
import { standingsFor } from '../gateways/standing-view.ts'
import type { DashboardDeps, PageContext, ShowAgain } from '../page-routes.ts'

/** A device with what was asked of its gateway and is not done yet. */
export interface AskedFile extends DeviceFile {
  /** The device as it will be then; forms show this. */
  asked: Device
  standings: CommandStanding[]
}

/** The device of the address. @throws FiskError 404 */
export async function deviceOf(deps: DashboardDeps, context: PageContext): Promise<AskedFile> {
  const file = await deps.office.fleet.findDevice(context.principal, context.params.id ?? '')
  const { device, gateway } = file
  if (gateway === null) return { ...file, asked: device, standings: [] }
  const standings = await standingsFor(deps, context, [device.gatewayId], ({ body }) => body.device_id === device.id)
  return { ...file, asked: askedDevice(device, waitingOf(standings)), standings }
}

export const NUMBER = ['isuNumber', 'isuStatus'] as const satisfies (keyof Device)[]
export const STATUS = ['status'] as const satisfies (keyof Device)[]
export const seenOf = (asked: Device) => ({
  number: writeExpected(asked, NUMBER),
  status: writeExpected(asked, STATUS),
})

export const waitingOf = (standings: readonly CommandStanding[]): GatewayCommand[] =>
  standings.map(({ command }) => command).filter(({ status }) => status === 'waiting')

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
  { v1, admin }: DashboardDeps,
  { once, principal, form }: PageContext,
  { device, gateway, asked }: AskedFile,
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
      const isAsked = isDeepStrictEqual({ ...asked, ...changes }, asked)
      if (!isAsked) requireExpected(asked, readExpected<Device, keyof Device>(form.seen, keys))
      return admin.commands.sendCommand(principal, device.gatewayId, commandOf(device.id, changes), keep)
    },
    { to: ({ id }) => addressOf(to, { sent: id }), refused },
  )
}

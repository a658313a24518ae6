import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import type { MachineFact } from '../../fiscal/registry/machine-facts.ts'
import type { Machine } from './machine.ts'

/** What container runtimes leave in a container; systemd writes the first one for those that it starts in. */
const CONTAINER_MARKS = ['run/systemd/container', 'run/.containerenv', '.dockerenv']

/**
 * What the user of the service can read. Not the serial numbers of a PC's DMI, which only root may read and many boards
 * leave empty; not the UUID of the root file system, which a copy by dd keeps and a copy by files changes.
 * @param given FISKD_MACHINE_ID, which counts in a container, too
 */
export function machineFacts({ root, env }: Pick<Machine, 'root' | 'env'>, given: string | null): MachineFact[] {
  const ofOperator: MachineFact[] = given === null ? [] : [`given ${given}`]
  const marks = CONTAINER_MARKS.some((path) => existsSync(join(root, path)))
  if (marks || env.container || env.KUBERNETES_SERVICE_HOST) return ofOperator
  const board = textOf(join(root, 'sys/firmware/devicetree/base/serial-number'))
  const system = textOf(join(root, 'etc/machine-id'))
  return [
    ...ofOperator,
    // A Raspberry Pi's is unique; firmware without one writes zeros.
    ...(/[^0]/.test(board) ? [`board ${board}` as const] : []),
    ...builtInAdapters(join(root, 'sys/class/net')).map((address) => `adapter ${address}` as const),
    ...(/^[0-9a-f]{32}$/.test(system) ? [`system ${system}` as const] : []),
  ]
}

/** The addresses of adapters that are neither virtual nor on USB, as their makers have given them: none that was set. */
function builtInAdapters(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const addresses = names.flatMap((name) => {
    const adapter = join(folder, name)
    if (!existsSync(join(adapter, 'device')) || realpathSync(adapter).includes('/usb')) return []
    const address = textOf(join(adapter, 'address'))
    const isOfMaker = textOf(join(adapter, 'addr_assign_type')) === '0'
    return isOfMaker && /^[0-9a-f:]{17}$/.test(address) && /[^0:]/.test(address) ? address : []
  })
  return [...new Set(addresses)].sort()
}

/** Empty where it is not there or cannot be read. Files of a device tree end with a NUL. */
const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8').replaceAll('\0', '').trim(), '')

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { machineFacts } from '../../../src/daemon/host/machine-facts.ts'
import { healthyMachine } from '../../support/machine.ts'
import { tempDir } from '../../support/temp-dir.ts'

const SYSTEM = '0123456789abcdef0123456789abcdef'

interface Adapter {
  name: string
  /** Where its device is, below `sys/devices`. */
  at: string
  address: string
  /** `0`: as its maker has given it. */
  assigned?: string
}

/** The files of a machine, with its adapters as the kernel shows them: links into `sys/devices`. */
async function machineWith(files: Record<string, string>, adapters: Adapter[] = []): Promise<string> {
  const root = await tempDir()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries({ 'etc/machine-id': `${SYSTEM}\n`, ...files })) write(path, text)
  mkdirSync(join(root, 'sys/class/net'), { recursive: true })
  for (const { name, at, address, assigned = '0' } of adapters) {
    const folder = `sys/devices/${at}/net/${name}`
    write(`${folder}/address`, `${address}\n`)
    write(`${folder}/addr_assign_type`, `${assigned}\n`)
    if (!at.startsWith('virtual')) symlinkSync('../..', join(root, folder, 'device'))
    symlinkSync(`../../devices/${at}/net/${name}`, join(root, 'sys/class/net', name))
  }
  return root
}

const PC_ADAPTERS: Adapter[] = [
  { name: 'lo', at: 'virtual', address: '00:00:00:00:00:00' },
  { name: 'docker0', at: 'virtual', address: '02:42:ac:11:00:02', assigned: '3' },
  { name: 'enp2s0', at: 'pci0000:00/0000:00:1c.1/0000:02:00.0', address: 'a8:a1:59:00:00:02' },
  { name: 'enp1s0', at: 'pci0000:00/0000:00:1c.0/0000:01:00.0', address: 'a8:a1:59:00:00:01' },
  // NetworkManager has set a random address while it looks for networks.
  { name: 'wlp3s0', at: 'pci0000:00/0000:00:1c.2/0000:03:00.0', address: '5e:11:22:33:44:55', assigned: '3' },
  { name: 'enx00e04c', at: 'pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0', address: '00:e0:4c:68:00:01' },
]

test('a Raspberry Pi is known by the serial number of its board', () => {
  expect(machineFacts(healthyMachine(), null)).toEqual(['board 10000000a1b2c3d4', `system ${SYSTEM}`])
})

test('a PC is known by its built-in adapters, not by those that are virtual, on USB or renamed', async () => {
  const root = await machineWith({ 'sys/class/dmi/id/board_serial': 'Default string\n' }, PC_ADAPTERS)
  const known = ['adapter a8:a1:59:00:00:01', 'adapter a8:a1:59:00:00:02', `system ${SYSTEM}`]
  expect(machineFacts({ root, env: {} }, null)).toEqual(known)
  expect(machineFacts({ root, env: {} }, 'kiosk-7')).toEqual(['given kiosk-7', ...known])
})

test('a board whose serial number is zeros, and a machine-id that is not there yet, say nothing', async () => {
  const serial = { 'sys/firmware/devicetree/base/serial-number': '0000000000000000\0' }
  const root = await machineWith({ ...serial, 'etc/machine-id': 'uninitialized\n' })
  expect(machineFacts({ root, env: {} }, null)).toEqual([])
})

test.each([
  ['run/systemd/container', {}],
  ['run/.containerenv', {}],
  ['.dockerenv', {}],
  ['etc/hostname', { container: 'podman' }],
])('in a container (%s, %o) nothing is read of the machine', async (mark, env) => {
  const root = await machineWith({ [mark]: '' }, PC_ADAPTERS)
  expect(machineFacts({ root, env }, null)).toEqual([])
  expect(machineFacts({ root, env }, 'kiosk-7')).toEqual(['given kiosk-7'])
})

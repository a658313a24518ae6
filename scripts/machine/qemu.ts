import { spawn } from 'node:child_process'
import { type Machine, machineOf } from './console.ts'

/** What an emulated machine consists of. */
export interface MachineOrder {
  arch: 'amd64' | 'arm64'
  /** The firmware boots from the first disk when left out. */
  kernel?: string
  initrd?: string
  /** The kernel's command line; the console is added to it. */
  append: string
  memoryMb: number
  /** A raw image: `/dev/vda`. */
  disk?: string
  /** Ports of 127.0.0.1 on this host that lead to ports of the machine. */
  forwards: { host: number; guest: number }[]
  /** The file that gets all that the machine says on its console. */
  consoleLog: string
  /** More of QEMU's own arguments. */
  extra?: string[]
}

const PROGRAMS = { amd64: 'qemu-system-x86_64', arm64: 'qemu-system-aarch64' } as const

/** An Intel without AVX, which is dear to emulate; the processor of a Raspberry Pi 4. */
const BOARDS = {
  amd64: ['-M', 'q35', '-cpu', 'Nehalem', '-vga', 'none'],
  arm64: ['-M', 'virt', '-cpu', 'cortex-a72'],
} as const
const CONSOLES = { amd64: 'ttyS0', arm64: 'ttyAMA0' } as const

/** The program that emulates this architecture. */
export const emulatorOf = (arch: MachineOrder['arch']) => PROGRAMS[arch]

/**
 * Starts a machine. Processors are emulated, never virtualized, so that it is the same machine on every host.
 * @throws Error when QEMU cannot be run, by `wait` and `ended`
 */
export function startMachine(order: MachineOrder): Machine {
  const child = spawn(PROGRAMS[order.arch], argumentsOf(order), { stdio: ['pipe', 'pipe', 'pipe'] })
  const hint = 'on Debian, apt install qemu-system-x86 qemu-system-arm'
  return machineOf(child, order.consoleLog, hint, () => void child.kill('SIGKILL'))
}

function argumentsOf(order: MachineOrder): string[] {
  const { arch, kernel, initrd, append, memoryMb, disk, forwards, extra = [] } = order
  const ports = forwards.map(({ host, guest }) => `,hostfwd=tcp:127.0.0.1:${host}-:${guest}`).join('')
  return [
    ...BOARDS[arch],
    ...['-accel', 'tcg,thread=multi,tb-size=512', '-smp', '1', '-m', String(memoryMb)],
    ...['-nodefaults', '-display', 'none', '-no-reboot'],
    ...(kernel === undefined ? [] : ['-kernel', kernel, '-append', `console=${CONSOLES[arch]} ${append}`]),
    ...(initrd === undefined ? [] : ['-initrd', initrd]),
    ...['-chardev', 'stdio,id=console,signal=off', '-serial', 'chardev:console'],
    ...['-netdev', `user,id=net${ports}`, '-device', 'virtio-net-pci,netdev=net,romfile='],
    ...(disk === undefined ? [] : diskArguments(disk)),
    ...extra,
  ]
}

/** Errors of a disk are the machine's to see: without `report` QEMU would stop the machine when its disk is full. */
const diskArguments = (file: string): string[] => [
  ...['-drive', `file=${file},format=raw,if=none,id=disk`],
  ...['-device', 'virtio-blk-pci,drive=disk,werror=report,rerror=report'],
]

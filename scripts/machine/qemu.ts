import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'

/** What an emulated machine consists of. */
export interface MachineOrder {
  arch: 'amd64' | 'arm64'
  /** The firmware boots from the first disk when left out. */
  kernel?: string
  initrd?: string
  /** The kernel's command line; the console is added to it. */
  append: string
  memoryMb: number
  /** `/dev/vda` and so on, in this order. */
  disks: MachineDisk[]
  /** Ports of 127.0.0.1 on this host that lead to ports of the machine. */
  forwards: { host: number; guest: number }[]
  /**
   * Sockets at which QEMU listens, each the other end of a serial port: `/dev/ttyS1` and so on of an amd64 machine, `/dev/ttyS0`
   * and so on of an arm64 machine.
   */
  serials?: string[]
  /** The file that gets all that the machine says on its console. */
  consoleLog: string
  /** More of QEMU's own arguments. */
  extra?: string[]
}

/** A raw image, or the address of a disk such as `nbd:unix:/path`. */
export type MachineDisk = ({ url: string } | { file: string }) & {
  readOnly?: boolean
  /** What the machine writes is gone when it ends. */
  snapshot?: boolean
}

/** An emulated machine that runs. It reaches the loopback of this host as 10.0.2.2. */
export interface Machine {
  pid: number | undefined
  /** What it said so far. */
  readonly console: string
  /** Types on its console. */
  type(text: string): void
  /** @throws Error with the end of what it said, when it ends or the time is over before it said this */
  wait(text: string | RegExp, ms: number): Promise<void>
  /** SIGKILL, at once; for the end of a process that has no time to wait. */
  kill(): void
  /** Takes the current away. Resolves when QEMU is gone. What it had not handed to its disks is lost. */
  powerOff(): Promise<void>
  /** Exit code of QEMU, or null after a signal. */
  ended: Promise<number | null>
}

const PROGRAMS = { amd64: 'qemu-system-x86_64', arm64: 'qemu-system-aarch64' } as const

/** An Intel without AVX, which is dear to emulate; the processor of a Raspberry Pi 4. */
const BOARDS = {
  amd64: ['-M', 'q35', '-cpu', 'Nehalem', '-vga', 'none'],
  arm64: ['-M', 'virt', '-cpu', 'cortex-a72'],
} as const
const CONSOLES = { amd64: 'ttyS0', arm64: 'ttyAMA0' } as const

const LAST_WORDS = 3000

/** The program that emulates this architecture. */
export const emulatorOf = (arch: MachineOrder['arch']) => PROGRAMS[arch]

/**
 * Starts a machine. Processors are emulated, never virtualized, so that it is the same machine on every host.
 * @throws Error when QEMU cannot be run, by `wait` and `ended`
 */
export function startMachine(order: MachineOrder): Machine {
  const child = spawn(PROGRAMS[order.arch], argumentsOf(order), { stdio: ['pipe', 'pipe', 'pipe'] })
  writeFileSync(order.consoleLog, '')
  let said = ''
  let isOver = false
  const listeners = new Set<() => void>()
  const hear = (chunk: Buffer | string) => {
    said += chunk.toString()
    appendFileSync(order.consoleLog, chunk)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => {})
  const ended = endOf(child, hear).finally(() => {
    isOver = true
    for (const listener of listeners) listener()
  })

  return {
    pid: child.pid,
    get console() {
      return said
    },
    type: (text) => void child.stdin.write(text),
    wait(text, ms) {
      return new Promise((resolve, reject) => {
        const finish = (problem?: string) => {
          clearTimeout(patience)
          listeners.delete(look)
          if (problem === undefined) resolve()
          else reject(new Error(`the machine ${problem} before it said ${text}:\n${said.slice(-LAST_WORDS)}`))
        }
        const look = () => {
          if (typeof text === 'string' ? said.includes(text) : text.test(said)) finish()
          else if (isOver) finish('ended')
        }
        const patience = setTimeout(() => finish(`took more than ${ms / 1000} s`), ms)
        listeners.add(look)
        look()
      })
    },
    kill: () => void child.kill('SIGKILL'),
    async powerOff() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}

async function endOf(child: ChildProcess, hear: (text: string) => void): Promise<number | null> {
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  } catch (error) {
    hear(`${(error as Error).message}: on Debian, apt install qemu-system-x86 qemu-system-arm\n`)
    return null
  }
}

function argumentsOf(order: MachineOrder): string[] {
  const { arch, kernel, initrd, append, memoryMb, disks, forwards, serials = [], extra = [] } = order
  const ports = forwards.map(({ host, guest }) => `,hostfwd=tcp:127.0.0.1:${host}-:${guest}`).join('')
  return [
    ...BOARDS[arch],
    ...['-accel', 'tcg,thread=multi,tb-size=512', '-smp', '1', '-m', String(memoryMb)],
    ...['-nodefaults', '-display', 'none', '-no-reboot'],
    ...(kernel === undefined ? [] : ['-kernel', kernel, '-append', `console=${CONSOLES[arch]} ${append}`]),
    ...(initrd === undefined ? [] : ['-initrd', initrd]),
    ...['-chardev', 'stdio,id=console,signal=off', '-serial', 'chardev:console'],
    ...['-netdev', `user,id=net${ports}`, '-device', 'virtio-net-pci,netdev=net,romfile='],
    ...disks.flatMap(diskArguments),
    ...serials.flatMap((path, i) => [
      ...['-chardev', `socket,id=serial${i},path=${path},server=on,wait=off`],
      ...['-device', `pci-serial,chardev=serial${i}`],
    ]),
    ...extra,
  ]
}

/** Errors of a disk are the machine's to see: without `report` QEMU would stop the machine when its disk is full. */
function diskArguments(disk: MachineDisk, i: number): string[] {
  const source = 'url' in disk ? disk.url : disk.file
  const flags = `${disk.readOnly ? ',readonly=on' : ''}${disk.snapshot ? ',snapshot=on' : ''}`
  return [
    ...['-drive', `file=${source},format=raw,if=none,id=disk${i}${flags}`],
    ...['-device', `virtio-blk-pci,drive=disk${i}${disk.readOnly ? '' : ',werror=report,rerror=report'}`],
  ]
}

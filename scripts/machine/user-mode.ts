import { spawn } from 'node:child_process'
import { type Machine, machineOf } from './console.ts'
import { openUserModeNetwork, TAP } from './user-mode-network.ts'

export interface UserModeOrder {
  kernel: string
  initrd: string
  /** The kernel's command line. */
  append: string
  memoryMb: number
  /** Images of the programs, which are only read, and for what is read at the end; the socket of the card. */
  root: string
  delivery: string
  card: string
  /** Ports of 127.0.0.1 on this host that lead to ports of the machine. */
  forwards: { host: number; guest: number }[]
  /** The file that gets all that the machine says on its console. */
  consoleLog: string
  /** A Debian whose C library the kernel was built for. */
  libraries: string
  /** Ports of 127.0.0.1 on this host that the machine reaches. */
  reaches: readonly number[]
  /** For what the machine needs while it runs. */
  dir: string
}

/**
 * The card is a network block device: User-mode Linux's own driver of disks (Linux 7.2) was seen to answer flushes without
 * handing them on.
 */
const CARD_PORT = 10809

/** The libraries of that Debian instead of those of this host, for this program alone. */
const WITH_LIBRARIES =
  'libraries=$1; shift; mount --bind "$libraries/usr/lib/x86_64-linux-gnu" /usr/lib/x86_64-linux-gnu && exec "$@"'

/**
 * Starts User-mode Linux: Debian's kernel with its file systems, as processes of this host, so that the real processor runs its
 * programs, and it sells after 5 seconds. Takes root, for its network and its libraries.
 * @throws Error when the network cannot be made; when it cannot be run, by `wait` and `ended`
 */
export async function startUserMode(order: UserModeOrder): Promise<Machine> {
  const { kernel, initrd, libraries, append, memoryMb, root, delivery, card, dir } = order
  const removeNetwork = await openUserModeNetwork({ ...order, card: { path: card, port: CARD_PORT } })
  const machine = [
    ...[kernel, `mem=${memoryMb}M`, `initrd=${initrd}`, `ubd0r=${root}`, `ubd2=${delivery}`],
    ...[
      `vec0:transport=tap,ifname=${TAP},depth=64,gro=1`,
      `uml_dir=${dir}/uml/`,
      'con=null',
      'con0=fd:0,fd:1',
      'console=tty0',
      ...append.split(' '),
    ],
  ]
  const child = spawn('unshare', ['--mount', 'sh', '-c', WITH_LIBRARIES, 'uml', libraries, ...machine], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid)
    removeNetwork()
  }
  return machineOf(child, order.consoleLog, 'on Debian, apt install util-linux', kill)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Paper, startTcpPrinter } from '../../src/simulator/index.ts'
import { freePort } from '../chaos/ports.ts'
import { makeDebian, PACKAGES } from '../machine/debian.ts'
import { type Root, shell } from './root.ts'

/**
 * Makes a minimal Debian of this machine's architecture in a folder with debootstrap, as root.
 * @throws Error that says what is missing
 */
export function makeFolder(suite: string): string {
  const dir = mkdtempSync(join(tmpdir(), `fiskd-${suite}-`))
  // Users of it pass through its root.
  chmodSync(dir, 0o755)
  makeDebian(suite, PACKAGES, dir)
  return dir
}

/** What a container gives to its systemd; the network is this machine's. */
const BOOT = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/tmp"
mount --rbind /dev "$1/dev"
mount --make-rshared /
cd "$1"
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" /lib/systemd/systemd --system
`

const NAMESPACES = ['--cgroup', '--mount', '--pid', '--uts', '--ipc']

/** Boots the systemd of a Debian in a folder, in namespaces of its own and the network of this machine; the folder goes with it. @throws Error when it does not come up */
export async function bootRoot(dir: string): Promise<Root> {
  // Its root is no mount of the machine's own: nothing may be remounted or asked for.
  writeFileSync(join(dir, 'etc/fstab'), '')
  const booted = spawn('unshare', [...NAMESPACES, '--fork', '--mount-proc=/proc', 'bash', '-c', BOOT, 'boot', dir], {
    stdio: 'ignore',
  })
  const ended = once(booted, 'exit')
  const pid = await childOf(Number(booted.pid))
  const way = ['nsenter', '-t', pid, '--mount', '--pid', '--uts', '--ipc', '--cgroup', 'chroot', dir]
  const enter = (argv: readonly string[]) => [...way, ...argv]
  const port = await freePort()
  const papers: Paper[] = []
  const printer = await startTcpPrinter({ onPaper: (paper) => papers.push(paper) })
  const close = async () => {
    process.kill(Number(pid), 'SIGKILL')
    await ended
    await printer.close()
    rmSync(dir, { recursive: true, force: true })
  }
  const path = (inside: string) => join(dir, inside)
  const root: Root = {
    async write(inside, content) {
      mkdirSync(dirname(path(inside)), { recursive: true })
      writeFileSync(path(inside), content)
    },
    read: async (inside) => readFileSync(path(inside), 'utf8'),
    enter,
    sh: (command) => shell(enter, command),
    lan: { listen: `127.0.0.1:${port}`, port, name: '127.0.0.1' },
    host: '127.0.0.1',
    authority: '127.0.0.1',
    printer: { line: `tcp:127.0.0.1:${printer.port}`, papers },
    patience: 1,
    close,
  }
  for (let tries = 0; tries < 120; tries += 1) {
    const { stdout } = await root.sh('systemctl is-system-running')
    if (/^(running|degraded)$/m.test(stdout)) return root
    await pause(500)
  }
  await close()
  throw new Error('systemd did not come up in it')
}

async function childOf(parent: number): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
    if (child) return child
    await pause(50)
  }
  throw new Error('no process runs in the namespaces')
}

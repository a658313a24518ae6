import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../package/run.ts'
import { type Root, shell } from './root.ts'

/**
 * needrestart asks which services to restart after an upgrade, where somebody is there to answer. The last line is what
 * the mistakes take.
 */
const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'udev', 'libstdc++6', 'ca-certificates'],
  ...['unattended-upgrades', 'needrestart'],
  ...['sudo', 'iproute2', 'e2fsprogs', 'faketime'],
]
const MIRROR = 'http://deb.debian.org/debian'

/**
 * Makes a minimal Debian of this machine's architecture in a folder with debootstrap, as root.
 * @throws Error that says what is missing
 */
export function makeFolder(suite: string): string {
  const dir = mkdtempSync(join(tmpdir(), `fiskd-${suite}-`))
  // Users of it pass through its root.
  chmodSync(dir, 0o755)
  run('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join()}`, suite, dir, MIRROR])
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

/** Boots the systemd of a Debian in namespaces of its own; the folder goes with it. @throws Error when it does not come up */
export async function bootRoot(dir: string): Promise<Root> {
  // Its root is no mount of the machine's own: nothing may be remounted or asked for.
  writeFileSync(join(dir, 'etc/fstab'), '')
  const booted = spawn('unshare', [...NAMESPACES, '--fork', '--mount-proc=/proc', 'bash', '-c', BOOT, 'boot', dir], {
    stdio: 'ignore',
  })
  const ended = once(booted, 'exit')
  const pid = await childOf(Number(booted.pid))
  const enter = ['nsenter', '-t', pid, '--mount', '--pid', '--uts', '--ipc', '--cgroup', 'chroot', dir]
  const close = async () => {
    process.kill(Number(pid), 'SIGKILL')
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
  const root: Root = { path: (inside) => join(dir, inside), enter, sh: (command) => shell(enter, command), close }
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

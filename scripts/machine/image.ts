import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { type DebianOrder, kernelOf, PACKAGES, shortenList, unpackDebian, unpackPackages } from './debian.ts'
import { FILES, settle } from './inhabitant.ts'
import { DRIVERS, makeInitrd } from './initrd.ts'
import { keptFolder } from './kept-parts.ts'
import { emulatorOf, startMachine } from './qemu.ts'

/** A Debian with its own kernel, for an emulated machine. What is in its folder is never changed. */
export interface Image {
  kernel: string
  initrd: string
  /** A raw ext4 without partitions; `root=` is said by the initial RAM disk. */
  disk: string
  /** The private key that its root lets in by ssh. */
  key: string
  /** Its host key, as ssh knows it. */
  knownHosts: string
}

const INIT = join(import.meta.dirname, 'guest/initrd-init.sh')
const SECOND_STAGE = join(import.meta.dirname, 'guest/second-stage.sh')
/** Room for the system, several versions of the package and their backups; what is not written takes none on the host. */
const DISK_SIZE = '4G'
/** debootstrap's second stage takes five minutes on an idle machine. */
const MOST_MS = 60 * 60_000

/**
 * The image of an architecture: one that is kept, or a new one, which takes root, the network and some minutes.
 * @param say is told what takes long
 * @throws Error that says what is missing, or with the end of what the machine said
 */
export async function debianImage(
  { arch, suite }: Pick<DebianOrder, 'arch' | 'suite'>,
  say: (text: string) => void,
): Promise<Image> {
  const order = { arch, suite, packages: [...PACKAGES, 'openssh-server', 'kmod'] }
  const dir = await keptFolder(`debian-${suite}-${arch}`, recipeOf(order), (part) => make(order, part, say))
  return {
    kernel: join(dir, 'vmlinuz'),
    initrd: join(dir, 'initrd.gz'),
    disk: join(dir, 'disk.img'),
    key: join(dir, 'key'),
    knownHosts: join(dir, 'known_hosts'),
  }
}

/** All that decides what is in an image. */
function recipeOf(order: DebianOrder): string {
  const scripts = [INIT, SECOND_STAGE].map((file) => readFileSync(file, 'utf8'))
  return JSON.stringify([order, DISK_SIZE, DRIVERS, FILES, scripts])
}

async function make(order: DebianOrder, part: string, say: (text: string) => void): Promise<void> {
  requireTools(['debootstrap', 'dpkg-deb', 'depmod', 'xz', 'cpio', 'mke2fs', 'ssh-keygen', emulatorOf(order.arch)])
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-image-'))
  try {
    say(`making a Debian ${order.suite} of ${order.arch}, once: its packages are configured by an emulated processor`)
    const root = join(scratch, 'root')
    const extra = join(scratch, 'extra')
    unpackDebian(order, root)
    await unpackPackages(root, [kernelOf(root, order.arch), 'busybox-static'], scratch, extra)
    shortenList(root)
    const [version = ''] = readdirSync(join(extra, 'usr/lib/modules'))
    const modules = join(root, 'usr/lib/modules', version)
    run('cp', ['-a', join(extra, 'usr/lib/modules'), join(root, 'usr/lib/')])
    run('depmod', ['-b', root, version])
    copyFileSync(join(extra, `boot/vmlinuz-${version}`), join(part, 'vmlinuz'))
    const busybox = join(extra, 'usr/bin/busybox')
    makeInitrd({ busybox, modules, init: INIT }, scratch, join(part, 'initrd.gz'))
    settle(root, part)
    copyFileSync(SECOND_STAGE, join(root, 'second-stage.sh'))
    run('chmod', ['755', join(root, 'second-stage.sh')])
    run('mke2fs', ['-q', '-t', 'ext4', '-d', root, join(part, 'disk.img'), DISK_SIZE])
    await complete(order, part)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function complete({ arch }: DebianOrder, part: string): Promise<void> {
  const machine = startMachine({
    arch,
    kernel: join(part, 'vmlinuz'),
    initrd: join(part, 'initrd.gz'),
    append: 'quiet mitigations=off panic=-1 init=/second-stage.sh',
    memoryMb: 1024,
    disk: join(part, 'disk.img'),
    forwards: [],
    consoleLog: join(part, 'made.log'),
  })
  try {
    await machine.wait(/THE IMAGE IS (NOT )?MADE/, MOST_MS)
    if (!machine.console.includes('THE IMAGE IS MADE')) throw new Error(`no image:\n${machine.console.slice(-3000)}`)
    await machine.ended
  } finally {
    await machine.powerOff()
  }
}

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { kernelOf, unpackDebian, unpackPackages } from './debian.ts'
import { makeInitrd } from './initrd.ts'
import { keepOnly, keptFolder, recipeOf } from './kept-parts.ts'
import type { MachineOrder } from './qemu.ts'

const SUITE = 'trixie'
export const KIOSK_BOOT = join(import.meta.dirname, 'guest/kiosk-boot.sh')

/**
 * What a quick machine has of Debian, in a folder that is kept: `kernel`, `initrd.gz`, a static `busybox`, and in `root` the
 * libraries of Node.
 * @throws Error that says what is missing
 */
export function quickParts(arch: MachineOrder['arch'], say: (text: string) => void): Promise<string> {
  return keptFolder(`quick-${SUITE}-${arch}`, recipeOf(KIOSK_BOOT, import.meta.filename), (part) =>
    make(arch, part, say),
  )
}

async function make(arch: MachineOrder['arch'], part: string, say: (text: string) => void): Promise<void> {
  requireTools(['debootstrap', 'dpkg-deb', 'depmod', 'xz', 'cpio', 'mke2fs'])
  say(`unpacking Debian's kernel and C library for ${arch}, once`)
  const [debian, extra, root] = [join(part, 'debian'), join(part, 'extra'), join(part, 'root')]
  unpackDebian({ arch, suite: SUITE, packages: ['libstdc++6'] }, debian)
  await unpackPackages(debian, [kernelOf(debian, arch), 'busybox-static', 'libstdc++6'], part, extra)
  const [version = ''] = readdirSync(join(extra, 'usr/lib/modules'))
  run('depmod', ['-b', join(extra, 'usr'), version])
  const modules = join(extra, 'usr/lib/modules', version)
  makeInitrd(
    { busybox: join(extra, 'usr/bin/busybox'), modules, drivers: ['f2fs'], init: KIOSK_BOOT },
    part,
    join(part, 'initrd.gz'),
  )
  const packed = readFileSync(join(extra, `boot/vmlinuz-${version}`))
  cpSync(join(extra, 'usr/bin/busybox'), join(part, 'busybox'))
  writeFileSync(join(part, 'kernel'), arch === 'amd64' ? unpackKernel(packed) : packed)
  takeLibraries(debian, extra, root)
  keepOnly(part, ['kernel', 'initrd.gz', 'busybox', 'root'])
}

/** What Node needs of Debian. */
function takeLibraries(debian: string, extra: string, root: string): void {
  mkdirSync(join(root, 'etc'), { recursive: true })
  for (const name of readdirSync(debian).filter((one) => /^lib/.test(one))) {
    cpSync(join(debian, name), join(root, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const from of [debian, extra]) {
    cpSync(join(from, 'usr/lib'), join(root, 'usr/lib'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path.endsWith('usr/lib') || /usr\/lib\/([^/]+-linux-[^/]+|ld-)/.test(path),
    })
  }
  if (existsSync(join(debian, 'usr/lib64'))) {
    cpSync(join(debian, 'usr/lib64'), join(root, 'usr/lib64'), { recursive: true, verbatimSymlinks: true })
  }
  chmodSync(root, 0o755)
}

/** Where a kernel of a PC says where its packed part is (Linux, Documentation/arch/x86/boot.rst); its own size follows that. */
const SETUP_SECTORS = 0x1f1
const PAYLOAD = { offset: 0x248, length: 0x24c } as const

/** QEMU starts an unpacked kernel of a PC at once, and the machine need not unpack it. Debian packs it by zstd. */
function unpackKernel(file: Buffer): Buffer {
  const start = (file.readUInt8(SETUP_SECTORS) + 1) * 512 + file.readUInt32LE(PAYLOAD.offset)
  return zstdDecompressSync(file.subarray(start, start + file.readUInt32LE(PAYLOAD.length) - 4))
}

import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from '../package/run.ts'
import { inLoadOrder } from './modules.ts'

/** Checksums of ext4 are a module of their own, which it asks for by the name of the algorithm. */
export const DRIVERS = ['crc32c_generic', 'ext4', 'virtio_pci', 'virtio_blk', 'virtio_net']

interface Parts {
  /** A static busybox of the machine's architecture. */
  busybox: string
  /** The modules of its kernel, with the lists of `depmod`. */
  modules: string
  /** Modules beside those of its disks, its network and ext4. */
  drivers?: readonly string[]
  /** What it runs first. */
  init: string
}

/** Makes a small initial RAM disk: Debian's own one takes longer to make and to boot than all else. @param out the file */
export function makeInitrd(parts: Parts, scratch: string, out: string): void {
  const dir = join(scratch, 'initrd')
  for (const name of ['bin', 'modules', 'proc', 'dev', 'root']) mkdirSync(join(dir, name), { recursive: true })
  copyFileSync(parts.busybox, join(dir, 'bin/busybox'))
  symlinkSync('busybox', join(dir, 'bin/sh'))
  copyFileSync(parts.init, join(dir, 'init'))
  for (const name of ['init', 'bin/busybox']) chmodSync(join(dir, name), 0o755)
  const files = inLoadOrder(parts.modules, [...DRIVERS, ...(parts.drivers ?? [])]).map((file) =>
    join(parts.modules, file),
  )
  const names = files.map((file) => basename(file).replace(/\.xz$/, ''))
  for (const [i, file] of files.entries()) {
    run('sh', ['-c', 'xz -dcf "$1" > "$2"', 'unpack', file, join(dir, 'modules', String(names[i]))])
  }
  writeFileSync(join(dir, 'modules/order'), `${names.join('\n')}\n`)
  run('sh', ['-c', 'find . | cpio --quiet -o -H newc | gzip -1 > "$1"', 'pack', out], { cwd: dir })
}

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pause, tick } from '../chaos/wait.ts'
import { run } from '../package/run.ts'
import type { Disk } from './disk.ts'

/** A disk in this host's own kernel: a real file system on it, and nothing emulated. */
export interface MountedDisk {
  /** Where its file system is mounted. */
  path: string
  /** Lets the kernel forget what it has read of a file. */
  forget(file: string): void
  /** Takes it out with all that the kernel still held; call it when the disk is off, and nobody uses it. */
  remove(): void
}

/** What is missing to mount a disk here; null for nothing. */
export function obstacleToMounts(): string | null {
  if (spawnSync('qemu-storage-daemon', ['--version']).error)
    return 'on Debian, apt install qemu-system-common qemu-utils'
  if (process.getuid?.() !== 0) return 'only root may mount'
  return existsSync('/dev/fuse') ? null : 'this kernel has no FUSE'
}

/** How long the disk may take to appear. */
const PATIENCE_MS = 20_000

/**
 * QEMU's storage daemon shows the disk as a file (FUSE), and the kernel's loop device makes a block device of it. Flushes and
 * errors pass through all of them.
 * @param dir a folder for the file and the mount point
 * @param options of the file system
 */
export async function mountDisk({ url }: Pick<Disk, 'url'>, dir: string, options: string): Promise<MountedDisk> {
  const [file, path] = [join(dir, 'card.img'), join(dir, 'card')]
  mkdirSync(path, { recursive: true })
  writeFileSync(file, '')
  const shown = spawn('qemu-storage-daemon', [
    ...['--blockdev', `driver=nbd,node-name=card,server.type=unix,server.path=${url.replace(/^nbd:unix:/, '')}`],
    ...['--export', `type=fuse,id=card,node-name=card,mountpoint=${file},writable=on,allow-other=off`],
  ])
  let said = ''
  shown.stderr.on('data', (chunk) => {
    said += chunk
  })
  const remove = () => {
    spawnSync('umount', ['-l', path])
    shown.kill('SIGKILL')
    spawnSync('umount', ['-l', file])
    rmSync(file, { force: true })
  }
  try {
    const giveUpAt = tick() + PATIENCE_MS
    while (statSync(file).size === 0) {
      if (tick() > giveUpAt || shown.exitCode !== null) throw new Error(`the disk cannot be shown: ${said}`)
      await pause(20)
    }
    run('mount', ['-o', `loop,${options}`, file, path])
  } catch (error) {
    remove()
    throw error
  }
  return {
    path,
    forget: (name) => void run('dd', [`of=${name}`, 'oflag=nocache', 'conv=notrunc', 'count=0', 'status=none']),
    remove,
  }
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A real file system of a few megabytes, mounted for one test. */
export interface SmallDisk {
  path: string
  /** Lets a ballast file grow until so many bytes are left. */
  leave(bytes: number): void
  /** Takes the ballast away. */
  makeRoom(): void
  close(): void
}

/** Whether this process may mount; without that right, tests that need a small disk are skipped. */
export function mayMount(): boolean {
  try {
    mountTmpfs(1).close()
    return true
  } catch {
    return false
  }
}

/** In memory: full when it is full. */
export function mountTmpfs(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'fiskd-disk-'))
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path)
  return disk(path, () => {})
}

/** On a loop device, and of the kind that a kernel makes read-only when it finds an error. */
export function mountExt4(megabytes: number): SmallDisk & { failAsSdCardsDo(): void } {
  const path = mkdtempSync(join(tmpdir(), 'fiskd-disk-'))
  const image = `${path}.img`
  writeFileSync(image, '')
  execFileSync('truncate', ['-s', `${megabytes}M`, image])
  run('mkfs.ext4', '-q', image)
  run('mount', '-o', 'loop,errors=remount-ro', image, path)
  const device = basename(run('findmnt', '-n', '-o', 'SOURCE', path).trim())
  return {
    ...disk(path, () => rmSync(image)),
    failAsSdCardsDo: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'sectors'),
  }
}

function disk(path: string, cleanUp: () => void): SmallDisk {
  const ballast = join(path, 'ballast')
  return {
    path,
    leave(bytes) {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)), { flag: 'a' })
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    close() {
      run('umount', '-l', path)
      rmSync(path, { recursive: true })
      cleanUp()
    },
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

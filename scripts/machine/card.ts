import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../package/run.ts'

export const FILE_SYSTEMS = ['ext4', 'f2fs'] as const
export type FileSystem = (typeof FILE_SYSTEMS)[number]

/** Megabytes: small, for it is copied often; what f2fs takes for itself included. */
const SIZE = { ext4: 64, f2fs: 128 } as const

/** Makes the image of a card with what is in a folder. */
export function makeCard(fs: FileSystem, folder: string, image: string): void {
  if (fs === 'ext4') {
    run('mke2fs', ['-q', '-t', 'ext4', '-b', '4096', '-d', folder, image, `${SIZE.ext4}M`])
    return
  }
  writeFileSync(image, '')
  truncateSync(image, SIZE.f2fs * 1024 * 1024)
  run('mkfs.f2fs', ['-q', image])
  run('sload.f2fs', ['-f', folder, image])
}

/**
 * Mounts an ext4 card on this machine, which needs root: its journal is replayed as at a boot.
 * @returns what `look` makes of the folder
 * @throws Error when it cannot be mounted
 */
export async function withCard<T>(image: string, dir: string, look: (folder: string) => Promise<T>): Promise<T> {
  mkdirSync(dir, { recursive: true })
  run('mount', ['-o', 'loop,noatime', image, dir])
  try {
    return await look(dir)
  } finally {
    run('umount', [dir])
  }
}

/** What e2fsck finds wrong with a card that nobody uses. */
export function checkCard(image: string): string[] {
  try {
    run('e2fsck', ['-fn', image])
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Unpacks what a machine delivered of its card. @returns the folder */
export function unpackDelivery(image: string, dir: string): string {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir)
  run('tar', ['-xf', image, '-C', dir])
  return join(dir, 'fiskd')
}

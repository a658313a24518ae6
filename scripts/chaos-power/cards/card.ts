import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../chaos/child.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import type { DiskOrder } from '../../machine/disk.ts'
import type { Mood } from '../../machine/disk-mood.ts'
import { type MountedDisk, mountDisk } from '../../machine/mounted-disk.ts'
import type { Loss } from '../../machine/power-loss.ts'
import { run } from '../../package/run.ts'

const SIZE = 64 * 1024 * 1024

/** A memory card in a slot of this host. */
export interface Card {
  /** Where its file system is mounted. */
  readonly path: string
  suffer(mood: Mood): Promise<void>
  /** Lets the kernel forget what it has read of files. */
  forget(files: readonly string[]): void
  /** The current goes and comes back: what was not flushed is gone. Nobody may use the card meanwhile. */
  cutPower(): Promise<void>
  close(): void
}

/** @param options of its file system */
export async function openCard(dir: string, options: string, scratch: Scratch): Promise<Card> {
  mkdirSync(dir)
  const image = join(dir, 'image')
  writeFileSync(image, '')
  truncateSync(image, SIZE)
  run('mke2fs', ['-q', '-t', 'ext4', image])
  const settings: DiskOrder = { image, socket: join(dir, 'disk.sock') }
  const disk = startChild(new URL('../../machine/disk-process.ts', import.meta.url), settings, scratch)
  const url = await disk.order<string>('url')
  let mounted: MountedDisk | undefined
  const insert = async () => {
    mounted = await mountDisk({ url }, dir, options)
    return mounted.path
  }
  const remove = () => {
    mounted?.remove()
    mounted = undefined
  }
  scratch.atTheEnd(remove)
  const suffer = (mood: Mood) => disk.order('suffer', mood)
  return {
    path: await insert(),
    suffer,
    forget(files) {
      for (const file of files) mounted?.forget(file)
    },
    async cutPower() {
      await disk.order('powerOff', { keep: 'none', seed: 1 } satisfies Loss)
      remove()
      await suffer({})
      await disk.order('powerOn')
      await insert()
    },
    close() {
      remove()
      disk.kill()
    },
  }
}

import { obey, settingsOfChild } from '../chaos/child.ts'
import { type DiskOrder, startDisk } from './disk.ts'
import type { Mood } from './disk-mood.ts'
import type { Loss } from './power-loss.ts'

/**
 * A disk in a process of its own. Whoever mounts it waits for it in the kernel, and a process that waits so cannot serve it
 * at the same time.
 */
const disk = startDisk(settingsOfChild<DiskOrder>())

obey({
  url: async () => (await disk).url,
  suffer: async (mood: Mood) => (await disk).suffer(mood),
  powerOff: async (loss: Loss) => (await disk).powerOff(loss),
  powerOn: async () => (await disk).powerOn(),
})

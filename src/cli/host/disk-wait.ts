import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dataDir } from '../io.ts'
import { daemonEnvironment } from '../machine/fiskd-program.ts'
import { type Around, procOf, textOf } from './system.ts'

/** It does something else between two flushes. */
const LOOKS = 5
const PAUSE_MS = 100

/** Whether a daemon that does not answer sleeps in the kernel until its disk has done something, as it does in a flush. */
export async function waitsForDisk(io: Around): Promise<boolean> {
  const pid = textOf(join(dataDir(daemonEnvironment(io.env)), 'fiskd.pid'))
  if (!/^\d+$/.test(pid)) return false
  for (let look = 0; look < LOOKS; look++) {
    if (/^State:\s+D/m.test(textOf(join(procOf(io), pid, 'status')))) return true
    await setTimeout(PAUSE_MS)
  }
  return false
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Scratch } from '../../chaos/scratch.ts'
import type { Cgroup } from './cgroup.ts'
import type { WeakKiosk } from './kiosk.ts'

/** Each is smaller than the daemon, so that the kernel would rather end the daemon. */
export const TAKER_MB = 20

/**
 * Takes memory when it is told to, and keeps it until its parent process is gone. What OOMScoreAdjust takes from the daemon is added here:
 * to the kernel it is the same, and it is allowed where root may not lower a score, as in many containers.
 */
export const takeWith = (adjust: number) => `import sys
sys.stdin.readline()
open('/proc/self/oom_score_adj', 'w').write('${-adjust}')
kept = b'1' * (${TAKER_MB} << 20)
sys.stdin.read()`

const EVERY_MS = 250

export interface Pressure {
  /** How often somebody was killed for want of memory. */
  kills: number
  daemonLives: boolean
  times: number[]
  /** Sales that were not answered. */
  lost: number
}

/** Other processes take all the memory of the group, and new ones come when some are killed, while a machine sells. */
export async function pressOnMemory(
  kiosk: WeakKiosk,
  group: Cgroup,
  { adjust, seconds }: { adjust: number; seconds: number },
  scratch: Scratch,
): Promise<Pressure> {
  const pid = kiosk.daemon.pid() ?? 0
  const killsBefore = group.kills()
  const takers = new Set<ChildProcess>()
  const take = () => {
    const taker = spawn('python3', ['-c', takeWith(adjust)], { stdio: ['pipe', 'ignore', 'ignore'] })
    if (taker.pid === undefined) return
    group.add(taker.pid)
    // One that is killed meanwhile hears nothing.
    taker.stdin.on('error', () => {})
    taker.stdin.write('\n')
    takers.add(taker)
    taker.once('exit', () => takers.delete(taker))
  }
  scratch.atTheEnd(() => {
    for (const taker of takers) taker.kill('SIGKILL')
  })
  const taking = setInterval(take, EVERY_MS)
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let lost = 0
  while (performance.now() < until && kiosk.daemon.pid() === pid) {
    const answerMs = await kiosk.post()
    if (answerMs === null) lost++
    else times.push(answerMs)
  }
  clearInterval(taking)
  const kills = group.kills() - killsBefore
  await Promise.all([...takers].map((taker) => ended(taker)))
  return { kills, daemonLives: kiosk.daemon.pid() === pid, times, lost }
}

async function ended(taker: ChildProcess): Promise<void> {
  const gone = once(taker, 'exit')
  taker.kill('SIGKILL')
  await gone
}

const FEW_SALES = 20

/** Whether so much memory is enough for a start, sales and a backup. @returns what it took, or what failed */
export async function livesIn(
  kiosk: WeakKiosk,
  group: Cgroup,
  megabytes: number,
  scratch: Scratch,
): Promise<{ startMs: number; times: number[]; kills: number } | { failed: string }> {
  try {
    await kiosk.daemon.stop()
    group.limitMemory(megabytes * 1024 * 1024)
    const killsBefore = group.kills()
    const startMs = await kiosk.start()
    const times: number[] = []
    for (let i = 0; i < FEW_SALES; i++) times.push((await kiosk.sell()).answerMs)
    kiosk.fisk('backup', join(scratch.dir, `${kiosk.daemon.name}-${megabytes}.db`))
    return { startMs, times, kills: group.kills() - killsBefore }
  } catch (error) {
    return { failed: (error as Error).message.slice(0, 200) }
  }
}

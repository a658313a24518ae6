import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isRunning } from '../daemon/client.ts'
import { type Io, systemPaths } from '../io.ts'
import { runProgram } from './run-program.ts'

export type Service = NonNullable<Awaited<ReturnType<typeof fiskdService>>>

/** systemd itself gives up after 90 seconds. */
const SYSTEMCTL_MS = 120_000
const ANSWER_MS = 30_000
const POLL_MS = 50

/**
 * The daemon as systemd runs it. What is asked for has happened, and its socket answers, when null comes back.
 * @returns null where systemd does not run, or does not know fiskd
 */
export async function fiskdService(io: Pick<Io, 'env' | 'paths'>, socketPath: () => string, unit = 'fiskd') {
  if (!existsSync(systemPaths(io).systemd)) return null
  const systemctl = (...args: string[]) => runProgram('systemctl', args, io, { timeout: SYSTEMCTL_MS })
  if ((await systemctl('cat', `${unit}.service`)).code !== 0) return null
  /** @returns why it does not run; null when it does */
  const bring = async (...args: string[]) => {
    const { code, stderr } = await systemctl(...args)
    if (code !== 0) return (await lastWords(io, unit)) || stderr.trim().split('\n')[0] || `systemctl ended with ${code}`
    return (await answers(socketPath())) ? null : `nothing answers on ${socketPath()}`
  }
  return {
    /** Now, and with the machine from now on. */
    start: () => bring('enable', '--now', unit),
    restart: () => bring('restart', unit),
    /** Now, and it does not start with the machine any more. */
    stop: async () => void (await systemctl('disable', '--now', unit)),
    /** Asked for when this returns; for a process that is about to end. */
    restartSoon: () =>
      void spawnSync('systemctl', ['--no-block', 'restart', unit], { env: io.env, stdio: 'ignore', timeout: 5000 }),
  }
}

async function answers(socketPath: string): Promise<boolean> {
  const end = performance.now() + ANSWER_MS
  while (!(await isRunning(socketPath))) {
    if (performance.now() > end) return false
    await setTimeout(POLL_MS)
  }
  return true
}

/** What the daemon said when it could not start: it begins with its name. */
async function lastWords(io: Pick<Io, 'env'>, unit: string): Promise<string | null> {
  const args = ['-u', unit, '-n', '20', '-o', 'cat', '--no-pager']
  const { stdout } = await runProgram('journalctl', args, io, { timeout: 5000 })
  return (
    stdout
      .split('\n')
      .findLast((line) => line.startsWith('fiskd: '))
      ?.slice('fiskd: '.length) ?? null
  )
}

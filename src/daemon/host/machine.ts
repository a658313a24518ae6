import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessFacts } from '../../fiscal/ports/machine.ts'

/** What a process sees of its machine and of its parent process; tests pass their own. */
export interface Machine {
  /** Where the kernel lists the processes: `/proc`. */
  proc: string
  /** Where `sys`, `etc` and `run` are: `/`. */
  root: string
  env: NodeJS.ProcessEnv
  /** A write that takes longer to reach the disk is worth a warning, milliseconds. */
  slowWriteMs: number
}

export const thisMachine: Machine = { proc: '/proc', root: '/', env: process.env, slowWriteMs: 2000 }

export function thisProcess(machine: Machine): ProcessFacts {
  return {
    async openFileLimit() {
      const limits = await readFile(join(machine.proc, 'self/limits'), 'utf8')
      return /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ?? null
    },
    watchdog: () => watchdogIn(machine.env),
  }
}

function watchdogIn(env: NodeJS.ProcessEnv): { seconds: number } | null {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, INVOCATION_ID, SYSTEMD_EXEC_PID } = env
  const own = String(process.pid)
  // A shell of a desktop hands its own invocation down.
  const isService = NOTIFY_SOCKET !== undefined || (INVOCATION_ID !== undefined && SYSTEMD_EXEC_PID === own)
  if (!isService) return null
  const isWatched = NOTIFY_SOCKET !== undefined && (WATCHDOG_PID ?? own) === own
  return { seconds: isWatched ? Number(WATCHDOG_USEC ?? 0) / 1_000_000 : 0 }
}

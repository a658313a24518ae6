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

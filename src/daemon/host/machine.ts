/** What a process sees of the machine it runs on and of whoever started it; tests bring their own. */
export interface Machine {
  /** Where the kernel tells of processes: `/proc`. */
  proc: string
  env: NodeJS.ProcessEnv
  /** A write that takes longer to reach the disk is worth a warning, milliseconds. */
  slowWriteMs: number
}

export const thisMachine: Machine = { proc: '/proc', env: process.env, slowWriteMs: 2000 }

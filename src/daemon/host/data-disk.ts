import { open, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataDisk } from '../../fiscal/ports/machine.ts'
import type { Machine } from './machine.ts'
import { parseMounts } from './mounts.ts'

/** The disk that holds the data directory. */
export function dataDisk(dataDir: string, machine: Machine): DataDisk {
  return {
    dataDir,
    realPath: () => realpath(dataDir),
    mounts: async () => parseMounts(await readFile(join(machine.proc, 'self/mountinfo'), 'utf8')),
    kernelCommandLine: () => readFile(join(machine.proc, 'cmdline'), 'utf8').catch(() => ''),
    trialWrite: () => trialWrite(dataDir),
    slowWriteMs: () => machine.slowWriteMs,
    async inodes() {
      const { files, ffree } = await statfs(dataDir)
      return { files, free: ffree }
    },
  }
}

async function trialWrite(dataDir: string): Promise<number> {
  const path = join(dataDir, '.fiskd-trial')
  const began = performance.now()
  try {
    await writeFile(path, 'fisk doctor\n', { mode: 0o600, flush: true })
    await using folder = await open(dataDir, 'r')
    await folder.sync()
    return performance.now() - began
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

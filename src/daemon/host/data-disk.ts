import { open, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataDisk, Mount } from '../../fiscal/ports/machine.ts'
import type { Machine } from './machine.ts'

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

/** Reads the lines of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export function parseMounts(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [mount = '', system = ''] = line.split(' - ')
    const [, , , , path, own] = mount.split(' ')
    const [type, , shared = ''] = system.split(' ')
    if (!path || !own || !type) return []
    return [{ path: unescaped(path), type, options: [...own.split(','), ...shared.split(',')].map(unescaped) }]
  })
}

/** Blanks and backslashes are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

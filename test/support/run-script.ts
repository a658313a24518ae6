import { execFile } from 'node:child_process'
import { inProject } from './stand-in.ts'

/** Runs a script of `scripts/` to its end. @returns its exit code, and what it said on both streams */
export function runScript(path: string, ...args: string[]): Promise<{ code: unknown; out: string }> {
  const argv = ['--import', 'tsx', inProject(`scripts/${path}`), ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: inProject(''), maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, out: stdout + stderr }),
    )
  })
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'

const PATIENCE_MS = 60_000

/** What the built `fisk` prints: its output, or its errors when that is empty. */
export function fisk(dist: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: PATIENCE_MS }
    execFile(process.execPath, [join(dist, 'cli/main.js'), ...args], options, (_error, stdout, stderr) => {
      resolve(stdout || stderr)
    })
  })
}

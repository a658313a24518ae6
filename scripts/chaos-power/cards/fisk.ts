import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { type Check, sayCheck } from '../../../src/domain/check.ts'

const PATIENCE_MS = 60_000

interface Said {
  problems?: { subject: string; problem: string }[]
  checks?: Check[]
  disk?: { write_ms?: number | null }
  error?: { message: string }
}

/** What a machine on a test host lacks anyway. */
const OF_TEST_HOST = new Set([
  'clock',
  'permissions',
  'backup',
  'open files',
  'watchdog',
  'file system',
  'service',
  'listening',
  'central server',
])

/** What the built `fisk` says to be wrong. @param command `status` or `doctor` */
export async function problemsOf(dist: string, env: Record<string, string>, command: string): Promise<string[]> {
  const printed = await fisk(dist, env, command, '--json')
  const said = parsed(printed)
  if (!said) return [printed.slice(0, 200)]
  const { problems = [], checks = [], error, disk } = said
  const wrong = checks
    .map((check) => sayCheck(check, 'en'))
    .filter(({ name, status }) => ['fail', 'warn'].includes(status) && !OF_TEST_HOST.has(name))
  return [
    ...(error ? [error.message] : []),
    ...problems.map(({ subject, problem }) => `${subject}: ${problem}`),
    ...wrong.map(({ name, detail }) => `${name}: ${detail}`),
    ...(disk?.write_ms && disk.write_ms >= 1000 ? [`disk: a write takes ${(disk.write_ms / 1000).toFixed(1)} s`] : []),
  ]
}

/** What the built `fisk` prints: its output, or its errors when that is empty. */
function fisk(dist: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: PATIENCE_MS }
    execFile(process.execPath, [join(dist, 'cli/main.js'), ...args], options, (_error, stdout, stderr) => {
      resolve(stdout || stderr)
    })
  })
}

function parsed(text: string): Said | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

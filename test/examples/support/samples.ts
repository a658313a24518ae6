import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inProject } from '../../support/stand-in.ts'
import { skipWithout } from '../../support/tools.ts'

const run = promisify(execFile)

/** What the samples need of the machine, by the name of their folder. */
const SAMPLES = {
  c: ['cc', 'make', 'curl-config', '/usr/include/cjson/cJSON.h'],
  python: ['python3'],
  shell: ['curl', 'jq'],
  typescript: ['curl'],
} as const
export type SampleName = keyof typeof SAMPLES

export const canRun = (name: SampleName): boolean => !skipWithout(...SAMPLES[name])

/** Where the firmware finds the gateway, as `examples/README.md` says. */
export interface Surroundings extends Record<string, string> {
  FISKD_URL: string
  FISKD_CA: string
}

/**
 * Builds a sample in a folder, by its own means. @returns the command that starts it
 * @param careful C with the sanitizers of the compiler: each wrong access to memory ends it
 */
export async function buildSample(
  name: SampleName,
  dir: string,
  { FISKD_URL, FISKD_CA }: Surroundings,
  { careful = true } = {},
): Promise<string[]> {
  await cp(inProject(`examples/${name}`), dir, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: dir, FISKD_URL, FISKD_CA }
  const make = async (...command: [string, ...string[]]) => {
    const [program, ...args] = command
    await run(program, args, { cwd: dir, env })
  }
  if (name === 'python') return ['python3', join(dir, 'vending.py')]
  if (name === 'shell') return ['sh', join(dir, 'vending.sh')]
  if (name === 'c') {
    await make('make', ...(careful ? ['CFLAGS=-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'] : []))
    return [join(dir, 'vending')]
  }
  await symlink(inProject('node_modules'), join(dir, 'node_modules'))
  await make('npm', 'run', '--silent', 'types')
  await make('npm', 'run', '--silent', 'check')
  return ['node', join(dir, 'vending.ts')]
}

import { spawnSync } from 'node:child_process'

/** Runs a program to its end. @returns what it wrote @throws Error with the end of what it said, when it failed */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: Buffer } = {},
) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  })
  if (error) throw new Error(`${program} cannot be run: ${error.message}`)
  if (status === 0) return stdout
  const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n')
  throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${said}`)
}

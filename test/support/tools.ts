import { spawnSync } from 'node:child_process'

/**
 * Whether tests that need a command are skipped because this machine lacks it; where `FISKD_REQUIRE_TOOLS=1` says that
 * it must be there, they run and fail instead.
 */
export function skipWithout(...commands: string[]): boolean {
  const missing = commands.filter((command) => spawnSync(command, ['--version']).error !== undefined)
  return missing.length > 0 && process.env.FISKD_REQUIRE_TOOLS !== '1'
}

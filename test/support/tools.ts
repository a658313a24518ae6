import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Whether tests are skipped because this machine lacks a command or, named by its path, a file; where
 * `FISKD_REQUIRE_TOOLS=1` says that it must be there, they run and fail instead.
 */
export function skipWithout(...tools: string[]): boolean {
  const isMissing = (tool: string) =>
    tool.startsWith('/') ? !existsSync(tool) : spawnSync(tool, ['--version']).error !== undefined
  return tools.some(isMissing) && process.env.FISKD_REQUIRE_TOOLS !== '1'
}

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from './fisk.ts'

/** Where files of the project are. */
export const inProject = (path: string) => join(import.meta.dirname, '../..', path)

/** A command of the name that does what the lines of shell say. @returns its path */
export function standIn(folder: string, name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

/** Runs a command to its end; commands in `folder` come first. */
export function runWith(folder: string, command: string, args: string[], env: Record<string, string> = {}): Ran {
  const PATH = `${folder}:${process.env.PATH}`
  const ran = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, PATH, ...env }, timeout: 20_000 })
  return { code: ran.status ?? -1, stdout: ran.stdout, stderr: ran.stderr }
}

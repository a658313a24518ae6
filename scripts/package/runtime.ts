import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from './architectures.ts'
import { run } from './run.ts'

/**
 * The folder with `bin/node` and `include/node` of a runtime, fetched from the npm registry when the cache lacks it.
 * @throws Error when it cannot be had, or is not what the integrity says
 */
export function fetchRuntime({ package: name, version, integrity }: Runtime, cache: string): string {
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  const archive = join(part, run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', part]).trim())
  const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (actual !== integrity) throw new Error(`${name}@${version} is not what it should be: ${actual}`)
  run('tar', ['-xzf', archive, '-C', part, '--strip-components=1'])
  rmSync(archive)
  renameSync(part, folder)
  return folder
}

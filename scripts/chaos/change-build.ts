import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What becomes of a text that stands once in a build, however the bundle is spaced; the expression is global. */
export type Change = [pattern: RegExp, instead: string]

/** The schema changes of a build; `$1` is all of them without the brace that ends them. */
export const MIGRATIONS = /(\bvar\s+migrations\s*=\s*\{\s*"001-initial"[^}]*)\}/g

/** @throws Error when the build no longer reads as a change expects: a change that does nothing proves nothing */
export function changeBuild(dist: string, changes: readonly Change[]): void {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  for (const [pattern, instead] of changes) {
    const found = files.flatMap((name) => {
      const text = readFileSync(join(dist, name), 'utf8')
      return [...text.matchAll(pattern)].map(() => ({ file: join(dist, name), text }))
    })
    const [only] = found
    if (!only || found.length > 1) throw new Error(`${pattern} stands ${found.length} times in the build`)
    writeFileSync(only.file, only.text.replace(pattern, instead))
  }
}

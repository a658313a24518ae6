import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What became new with each version, in Debian's own form (deb-changelog(5)). */
export const CHANGELOG = join(import.meta.dirname, 'debian/changelog')

/** The version of its top entry, and when that was written. @throws Error when it has none */
export function newestEntry(file = CHANGELOG): { version: string; writtenAt: Date } {
  const text = readFileSync(file, 'utf8')
  const version = /^fiskd \(([^)\s]+)\) [a-z]+; urgency=[a-z]+\n/.exec(text)?.[1]
  const writtenAt = new Date(/^ -- .+ <.+> {2}(.+)$/m.exec(text)?.[1] ?? '')
  if (!version || Number.isNaN(writtenAt.getTime())) throw new Error(`${file} has no entry at its top`)
  return { version, writtenAt }
}

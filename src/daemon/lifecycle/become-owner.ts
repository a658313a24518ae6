import { statSync } from 'node:fs'

/**
 * Nothing in the data directory may come to belong to root. The folder counts and no file in it, for that account may
 * have put a link to a file of root there.
 */
export function becomeOwnerOf(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || !owner || owner.uid === 0) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

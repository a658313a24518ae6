import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Gives everything below a folder the modes and the times that do not depend on who made it, and when.
 * @returns the size in kilobytes, counted as dpkg-gencontrol counts it
 */
export function tidy(root: string, writtenAt: Date): number {
  const paths = ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].map((path) => join(root, path))
  let kilobytes = 0
  for (const path of paths) {
    const found = lstatSync(path)
    kilobytes += found.isFile() ? Math.ceil(found.size / 1024) : 1
    if (!found.isSymbolicLink()) chmodSync(path, found.isDirectory() || isProgram(path, found.mode) ? 0o755 : 0o644)
    lutimesSync(path, writtenAt, writtenAt)
  }
  return kilobytes
}

/** Of packages from the registry nothing is started by itself, whatever its mode says. */
const isProgram = (path: string, mode: number) => (mode & 0o100) !== 0 && !path.includes('/node_modules/')

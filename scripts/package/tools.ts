import { spawnSync } from 'node:child_process'

/** Commands that are asked for work, and the packages of Debian that have them. */
const PACKAGES = {
  'apt-ftparchive': 'apt-utils',
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  gpg: 'gnupg',
  ip: 'iproute2',
  readelf: 'binutils',
  tar: 'tar',
} as const

export type Tool = keyof typeof PACKAGES

/** @throws Error that names every command that is missing, and how to get them */
export function requireTools(tools: readonly Tool[]): void {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map((tool) => PACKAGES[tool]))]
  throw new Error(`missing here: ${missing.join(', ')}. On Debian: apt install ${packages.join(' ')}`)
}

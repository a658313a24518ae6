import { spawnSync } from 'node:child_process'

/** Commands that are asked for work, and the packages of Debian that have them. */
const PACKAGES = {
  'apt-ftparchive': 'apt-utils',
  cpio: 'cpio',
  debootstrap: 'debootstrap',
  depmod: 'kmod',
  'dpkg-deb': 'dpkg',
  gpg: 'gnupg',
  gpgv: 'gpgv',
  ip: 'iproute2',
  mke2fs: 'e2fsprogs',
  'qemu-system-aarch64': 'qemu-system-arm',
  'qemu-system-x86_64': 'qemu-system-x86',
  readelf: 'binutils',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  tar: 'tar',
  xz: 'xz-utils',
  zbarimg: 'zbar-tools',
} as const

export type Tool = keyof typeof PACKAGES

/** @throws Error that names every command that is missing, and how to get them */
export function requireTools(tools: readonly Tool[]): void {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map((tool) => PACKAGES[tool]))]
  throw new Error(`missing here: ${missing.join(', ')}. On Debian: apt install ${packages.join(' ')}`)
}

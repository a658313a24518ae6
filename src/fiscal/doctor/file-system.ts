import type { Mount } from '../ports/machine.ts'

/** What becomes of sales on a file system: `lost` with the power, `unfit` for SQLite's write-ahead log, or kept. */
export interface Verdict {
  is: 'fit' | 'unknown' | 'unfit' | 'lost'
  /** For people, after "it is on". */
  why: string
}

const FIT = new Set(['ext4', 'ext3', 'xfs', 'btrfs', 'f2fs', 'zfs', 'bcachefs', 'jfs', 'ubifs'])
const MEMORY = new Set(['tmpfs', 'ramfs'])
/** Of networks and virtual machines: their locks and shared memory do not hold what SQLite needs of them. */
const REMOTE = /^(nfs\d?|cifs|smb\d?|smbfs|afs|ceph|9p|vboxsf|fuse\.(sshfs|s3fs|rclone|glusterfs))$/
/** Neither owners nor a journal. */
const REMOVABLE = new Set(['vfat', 'msdos', 'exfat', 'ntfs', 'ntfs3', 'fuseblk'])

/**
 * Judges the file system of a path, links followed before.
 * @param cmdline what the kernel was started with; empty when it is not known
 */
export function judgeFileSystem(path: string, mounts: readonly Mount[], cmdline: string): Verdict {
  const mount = mountOf(path, mounts)
  if (mount === undefined) return { is: 'unknown', why: 'a file system that /proc/self/mountinfo does not name' }
  if (mount.type === 'overlay') return judgeOverlay(mount, mounts, cmdline)
  return judgeType(mount)
}

function judgeType({ type, path, options }: Mount): Verdict {
  const where = `${type}, mounted at ${path}`
  if (MEMORY.has(type)) return { is: 'lost', why: `${where}: in memory, so every sale is gone with the power` }
  if (REMOTE.test(type)) return { is: 'unfit', why: `${where}: SQLite can lose or damage a database there` }
  if (REMOVABLE.has(type)) return { is: 'unfit', why: `${where}: a power cut can damage it, and it knows no owners` }
  if (!FIT.has(type))
    return { is: 'unknown', why: `${where}: nobody has tried whether sales survive a power cut there` }
  if (options.includes('nobarrier') || options.includes('barrier=0')) {
    return { is: 'unknown', why: `${where} without write barriers: the last sales can be gone with the power` }
  }
  return { is: 'fit', why: where }
}

/** What is written goes to the upper layer; where that lies is seldom visible from above. */
function judgeOverlay({ path, options }: Mount, mounts: readonly Mount[], cmdline: string): Verdict {
  const upper = options.find((option) => option.startsWith('upperdir='))?.slice('upperdir='.length)
  const beneath = upper === undefined ? undefined : mountOf(upper, mounts)
  if (beneath !== undefined && beneath.type !== 'overlay') {
    const verdict = judgeType(beneath)
    return { ...verdict, why: `an overlay at ${path} over ${verdict.why}` }
  }
  if (/\b(overlayroot=|boot=overlay)/.test(cmdline)) {
    return { is: 'lost', why: `an overlay at ${path} in memory: every sale is gone with the power` }
  }
  return { is: 'unknown', why: `an overlay at ${path}: it may be in memory, or go with its container` }
}

/** The mount that a path lies on, links followed before: of two in one place the later one hides the other. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  const above = mounts.filter((mount) => `${path}/`.startsWith(mount.path === '/' ? '/' : `${mount.path}/`))
  return above.reduce<Mount | undefined>(
    (deepest, mount) => (deepest && deepest.path.length > mount.path.length ? deepest : mount),
    undefined,
  )
}

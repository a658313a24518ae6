import type { Both } from '../../domain/texts/both.ts'
import type { Mount } from '../ports/machine.ts'

/** What becomes of sales on a file system: `lost` with the power, `unfit` for SQLite's write-ahead log, or kept. */
export interface Verdict {
  is: 'fit' | 'unknown' | 'unfit' | 'lost'
  /** For people, after "it is on". */
  why: Both
}

const verdict = (is: Verdict['is'], en: string, hr: string): Verdict => ({ is, why: { en, hr } })

const FIT = new Set(['ext4', 'ext3', 'xfs', 'btrfs', 'f2fs', 'zfs', 'bcachefs', 'jfs', 'ubifs'])
const MEMORY = new Set(['tmpfs', 'ramfs'])
/** Of networks and virtual machines: their locks and shared memory are not what SQLite needs. */
const REMOTE = /^(nfs\d?|cifs|smb\d?|smbfs|afs|ceph|9p|vboxsf|fuse\.(sshfs|s3fs|rclone|glusterfs))$/
/** Neither owners nor a journal. */
const REMOVABLE = new Set(['vfat', 'msdos', 'exfat', 'ntfs', 'ntfs3', 'fuseblk'])

/** Judges the file system of a path, links followed before. @param cmdline of the kernel; empty when it is not known */
export function judgeFileSystem(path: string, mounts: readonly Mount[], cmdline: string): Verdict {
  const mount = mountOf(path, mounts)
  if (mount === undefined)
    return verdict(
      'unknown',
      'a file system that /proc/self/mountinfo does not name',
      'datotečni sustav kojeg nema u /proc/self/mountinfo',
    )
  if (mount.type === 'overlay') return judgeOverlay(mount, mounts, cmdline)
  return judgeType(mount)
}

function judgeType({ type, path, options }: Mount): Verdict {
  const where = { en: `${type}, mounted at ${path}`, hr: `${type}, priključen na ${path}` }
  if (MEMORY.has(type))
    return verdict(
      'lost',
      `${where.en}: in memory, so every sale is gone with the power`,
      `${where.hr}: u memoriji, pa nestankom struje nestaju svi računi`,
    )
  if (REMOTE.test(type))
    return verdict(
      'unfit',
      `${where.en}: SQLite can lose or damage a database there`,
      `${where.hr}: SQLite ondje može izgubiti ili oštetiti bazu podataka`,
    )
  if (REMOVABLE.has(type))
    return verdict(
      'unfit',
      `${where.en}: a power cut can damage it, and it knows no owners`,
      `${where.hr}: nestanak struje može ga oštetiti, a nema vlasnika datoteka`,
    )
  if (!FIT.has(type))
    return verdict(
      'unknown',
      `${where.en}: nobody has tried whether sales survive a power cut there`,
      `${where.hr}: nije ispitano ostaju li računi sačuvani nakon nestanka struje`,
    )
  if (options.includes('nobarrier') || options.includes('barrier=0')) {
    return verdict(
      'unknown',
      `${where.en} without write barriers: the last sales can be gone with the power`,
      `${where.hr} bez zaštite redoslijeda zapisa: nestankom struje mogu nestati posljednji računi`,
    )
  }
  return { is: 'fit', why: where }
}

/** What is written goes to the upper layer; where that lies is seldom visible from above. */
function judgeOverlay({ path, options }: Mount, mounts: readonly Mount[], cmdline: string): Verdict {
  const upper = options.find((option) => option.startsWith('upperdir='))?.slice('upperdir='.length)
  const beneath = upper === undefined ? undefined : mountOf(upper, mounts)
  if (beneath !== undefined && beneath.type !== 'overlay') {
    const verdict = judgeType(beneath)
    return {
      ...verdict,
      why: { en: `an overlay at ${path} over ${verdict.why.en}`, hr: `overlay na ${path} iznad ${verdict.why.hr}` },
    }
  }
  if (/\b(overlayroot=|boot=overlay)/.test(cmdline)) {
    return verdict(
      'lost',
      `an overlay at ${path} in memory: every sale is gone with the power`,
      `overlay na ${path} u memoriji: nestankom struje nestaju svi računi`,
    )
  }
  return verdict(
    'unknown',
    `an overlay at ${path}: it may be in memory, or go with its container`,
    `overlay na ${path}: možda je u memoriji ili nestaje zajedno sa spremnikom`,
  )
}

/** The mount that a path lies on, links followed before: of two in one place the later one hides the other. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  const above = mounts.filter((mount) => `${path}/`.startsWith(mount.path === '/' ? '/' : `${mount.path}/`))
  return above.reduce<Mount | undefined>(
    (deepest, mount) => (deepest && deepest.path.length > mount.path.length ? deepest : mount),
    undefined,
  )
}

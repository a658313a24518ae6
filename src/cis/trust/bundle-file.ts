import type { X509Certificate } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pemOf } from '../../x509/pem.ts'
import { type CaFile, CaFileRefusal, readCaFile, requireFew } from './ca-files.ts'
import { acceptList, newestLists, type RevocationList } from './revocation-list.ts'

export interface Bundle {
  authorities: X509Certificate[]
  lists: RevocationList[]
}

/** A PEM file with CA certificates and revocation lists, and what of it is in use. */
export interface BundleFile {
  readonly path: string
  /** What counts besides: its authorities may have signed lists in this file. Null for a base itself. */
  readonly base: BundleFile | null
  bundle: Bundle
  stamp: string
}

const EMPTY: Bundle = { authorities: [], lists: [] }

/** A file that is of no use keeps nothing from starting: what needs it says so, and `problemOf` tells why. */
export function openBundleFile(path: string, base: BundleFile | null): BundleFile {
  const file: BundleFile = { path, base, bundle: EMPTY, stamp: '' }
  rereadBundle(file)
  return file
}

/** Why the file differs from what is in use; null when both are equal. */
export function problemOf(file: BundleFile): string | null {
  try {
    const isSame = textOf(readBundle(file, 'refused', file.bundle)) === textOf(file.bundle)
    return isSame ? null : `${file.path} does not hold what is in force`
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Takes what was stored in the file since. A file that is gone or of no use changes nothing; an empty one takes the
 * additions away, and changes no base. @returns whether something else is in use now
 */
export function rereadBundle(file: BundleFile, baseHasChanged = false): boolean {
  const stamp = stampOf(file.path)
  if (stamp === file.stamp && !baseHasChanged) return false
  file.stamp = stamp
  if (stamp === '') return false
  try {
    const before = file.bundle
    const found = readBundle(file, 'left out', baseHasChanged ? undefined : before)
    if (file.base === null && found.authorities.length === 0) return false
    file.bundle = found
    return textOf(found) !== textOf(before)
  } catch {
    // `problemOf` tells it.
    return false
  }
}

/** Durable when it returns. */
export function storeBundle(file: BundleFile, bundle: Bundle): void {
  writeDurably(file.path, textOf(bundle))
  file.stamp = stampOf(file.path)
  file.bundle = bundle
}

/** What happens to a revocation list that no authority here has signed. */
type Orphans = 'refused' | 'left out'

/**
 * @param orphans a base may have become another one: its lists in the additions must not keep fiskd from starting
 * @param known returned for a file that was written from it, for reading long lists takes a while
 */
function readBundle({ path, base }: Pick<BundleFile, 'path' | 'base'>, orphans: Orphans, known?: Bundle): Bundle {
  try {
    const file = readFileSync(path)
    if (known && file.equals(Buffer.from(textOf(known)))) return known
    return file.toString('latin1').trim() === '' ? EMPTY : extend(EMPTY, readCaFile(file), base, orphans)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY
    throw new Error(`the trust bundle ${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * A bundle with more in it: no authority of the base, no list that is older than one that is there. @throws
 * CaFileRefusal
 */
export function extend(bundle: Bundle, more: CaFile, of: BundleFile['base'], orphans: Orphans = 'refused'): Bundle {
  const base = of?.bundle ?? EMPTY
  const added = more.authorities.filter(({ raw }) => !base.authorities.some((known) => known.raw.equals(raw)))
  const authorities = distinct([...bundle.authorities, ...added])
  const accepted = more.lists.flatMap((list) => {
    try {
      return acceptList(list, [...base.authorities, ...authorities])
    } catch (error) {
      if (orphans === 'left out' && error instanceof CaFileRefusal) return []
      throw error
    }
  })
  const newest = newestLists([...base.lists, ...bundle.lists, ...accepted])
  const lists = newest.filter((list) => !base.lists.includes(list))
  requireFew(authorities.length + lists.length)
  return { authorities, lists }
}

/** What is left without one of the authorities, and without the lists that nobody has signed then. */
export function without({ bundle, base }: BundleFile, authority: X509Certificate): Bundle {
  return extend(
    EMPTY,
    caFileOf({ ...bundle, authorities: bundle.authorities.filter((one) => one !== authority) }),
    base,
    'left out',
  )
}

export function caFileOf(bundle: Bundle): CaFile {
  const text = textOf(bundle)
  return text === '' ? { authorities: [], lists: [] } : readCaFile(Buffer.from(text))
}

/** Changes with the file; empty when there is none. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
}

function distinct(certificates: X509Certificate[]): X509Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate])).values()]
}

function textOf({ authorities, lists }: Bundle): string {
  return (
    pemOf(authorities.map(({ raw }) => raw)) +
    pemOf(
      lists.map(({ der }) => der),
      'X509 CRL',
    )
  )
}

/** Writes so that after a power cut the file is the old bundle or the new bundle, never a part. */
function writeDurably(path: string, text: string): void {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true })
  const unfinished = `${path}.new`
  writeFileSync(unfinished, text, { mode: 0o644, flush: true })
  renameSync(unfinished, path)
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

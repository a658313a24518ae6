import type { X509Certificate } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { RevocationLists, TrustBundles, TrustFiles } from '../../fiscal/ports/trust.ts'
import { pemOf } from '../../x509/pem.ts'
import { type CaFile, CaFileRefusal, describeCertificate, readCaFile, refuseExpired, requireFew } from './ca-files.ts'
import { acceptList, describeList, listedSince, newestLists, type RevocationList } from './revocation-list.ts'
/** The trust bundles of both modes, each a PEM file. */
export interface TrustBundleFiles extends TrustBundles, TrustFiles, RevocationLists {
  /** The certificates of the bundle as PEM text, empty when none was installed. */
  pem(mode: Mode): string
  /** Why the file differs from the bundle in use; null when both are equal. */
  fileProblem(mode: Mode): string | null
}

interface Bundle {
  authorities: X509Certificate[]
  lists: RevocationList[]
}

/**
 * Reads the bundles; a missing file is an empty bundle. Certificates that expired after their installation stay.
 * @throws Error naming the file when a file cannot be read or has content that could not be added
 */
export function createTrustBundles(paths: Record<Mode, string>, now: () => EpochMs = Date.now): TrustBundleFiles {
  const seen = { test: stampOf(paths.test), live: stampOf(paths.live) }
  const bundles: Record<Mode, Bundle> = { test: readBundle(paths.test), live: readBundle(paths.live) }
  const certificates = (mode: Mode) => bundles[mode].authorities.map(({ raw }) => raw)

  function fileProblem(mode: Mode): string | null {
    try {
      const same = isSame(readBundle(paths[mode], bundles[mode]), bundles[mode])
      return same ? null : `${paths[mode]} does not hold what is in force`
    } catch (error) {
      return (error as Error).message
    }
  }

  function reread(mode: Mode): boolean {
    const stamp = stampOf(paths[mode])
    if (stamp === seen[mode]) return false
    seen[mode] = stamp
    try {
      const found = readBundle(paths[mode], bundles[mode])
      if (found.authorities.length === 0 || isSame(found, bundles[mode])) return false
      bundles[mode] = found
      return true
    } catch {
      // `fileProblem` tells it.
      return false
    }
  }

  return {
    certificates,
    pem: (mode) => pemOf(certificates(mode)),
    list: (mode) => bundles[mode].authorities.map(describeCertificate),
    revocationLists: (mode) => bundles[mode].lists.map(describeList),
    fileProblem,
    revokedAt: (mode, certificate) => listedSince(bundles[mode].lists, certificate),
    reread,
    add(mode, file) {
      // What another process has added stays.
      reread(mode)
      const before = bundles[mode]
      const extended = extendByUpload(before, file, now())
      const authorities = extended.authorities.slice(before.authorities.length)
      const lists = extended.lists.filter((list) => !before.lists.includes(list))
      const isStale = authorities.length + lists.length > 0 || fileProblem(mode) !== null
      if (isStale) writeDurably(paths[mode], textOf(extended))
      seen[mode] = stampOf(paths[mode])
      bundles[mode] = extended
      return { certificates: authorities.map(describeCertificate), revocationLists: lists.map(describeList) }
    },
  }
}

function extend(bundle: Bundle, { authorities: more, lists }: CaFile): Bundle {
  const authorities = distinct([...bundle.authorities, ...more])
  const newest = newestLists([...bundle.lists, ...lists.map((list) => acceptList(list, authorities))])
  requireFew(authorities.length + newest.length)
  return { authorities, lists: newest }
}

function extendByUpload(bundle: Bundle, upload: Buffer, now: EpochMs): Bundle {
  try {
    const file = readCaFile(upload)
    refuseExpired(file.authorities, now)
    return extend(bundle, file)
  } catch (error) {
    if (error instanceof CaFileRefusal) {
      throw invalidRequest('certificates', `the file cannot be trusted: ${error.message}`)
    }
    throw error
  }
}

/** @param inForce returned for a file that was written from it, for reading long lists takes a while */
function readBundle(path: string, inForce?: Bundle): Bundle {
  const empty: Bundle = { authorities: [], lists: [] }
  try {
    const file = readFileSync(path)
    if (inForce && file.equals(Buffer.from(textOf(inForce)))) return inForce
    return file.toString('latin1').trim() === '' ? empty : extend(empty, readCaFile(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty
    throw new Error(`the trust bundle ${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/** Changes with the file. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
}

function distinct(certificates: X509Certificate[]): X509Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate])).values()]
}

const isSame = (one: Bundle, other: Bundle) => one === other || textOf(one) === textOf(other)

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
  const file = openSync(unfinished, 'w', 0o644)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

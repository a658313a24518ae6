import type { X509Certificate } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TrustList } from '../../domain/certificate.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { RevocationLists, TrustBundles, TrustCare, TrustFiles } from '../../fiscal/ports/trust.ts'
import { pemOf } from '../../x509/pem.ts'
import { type CaFile, CaFileRefusal, describeCertificate, readCaFile, refuseExpired, requireFew } from './ca-files.ts'
import { acceptList, describeList, listedSince, newestLists, type RevocationList } from './revocation-list.ts'

/** Where the lists of CAs of each mode are. */
export type TrustPaths = Record<Mode, Record<TrustList, string>>

/** The trust bundles of both modes, each of some PEM files. */
export type TrustBundleFiles = TrustBundles & TrustFiles & RevocationLists & Pick<TrustCare, 'fileProblem'>

type ModeFiles = Record<TrustList, BundleFile>

/**
 * Reads the bundles; a file that is missing or of no use is an empty one. Certificates that expired after their
 * installation stay.
 * @param given whether the operator has set the path of a mode's base
 */
export function createTrustBundles(
  paths: TrustPaths,
  now: () => EpochMs = Date.now,
  given: Record<Mode, boolean> = { test: false, live: false },
): TrustBundleFiles {
  const files: Record<Mode, ModeFiles> = { test: openFiles(paths.test), live: openFiles(paths.live) }
  const counting = { test: countingLists(files.test), live: countingLists(files.live) }

  /** After a new base the additions are read anew: they leave out what it has, and it may have signed their lists. */
  function reread(mode: Mode, isBaseStored = false): boolean {
    const { base, service, uploads } = files[mode]
    const isBaseNew = rereadBundle(base) || isBaseStored
    const isNew = [isBaseNew, rereadBundle(service, isBaseNew), rereadBundle(uploads, isBaseNew)].includes(true)
    if (isNew) counting[mode] = countingLists(files[mode])
    return isNew
  }

  function store(mode: Mode, list: TrustList, bundle: Bundle): void {
    storeBundle(files[mode][list], bundle)
    if (list === 'base') reread(mode, true)
    counting[mode] = countingLists(files[mode])
  }

  return {
    certificates: (mode, purpose) =>
      [files[mode].base, files[mode][purpose]].flatMap(({ bundle }) => bundle.authorities.map(({ raw }) => raw)),
    list: (mode, list) => files[mode][list].bundle.authorities.map(describeCertificate),
    revocationLists: (mode, list) => (list ? files[mode][list].bundle.lists : counting[mode]).map(describeList),
    fileProblem: (mode, list) => problemOf(files[mode][list]),
    given: (mode) => (given[mode] ? paths[mode].base : null),
    revokedAt: (mode, certificate) => listedSince(counting[mode], certificate),
    reread: (mode) => reread(mode),
    add(mode, list, upload) {
      // What another process has added stays.
      reread(mode)
      const file = files[mode][list]
      const before = file.bundle
      const extended = extendByUpload(file, upload, now())
      const authorities = extended.authorities.slice(before.authorities.length)
      const lists = extended.lists.filter((one) => !before.lists.includes(one))
      const isStale = authorities.length + lists.length > 0 || problemOf(file) !== null
      if (isStale) store(mode, list, extended)
      return { certificates: authorities.map(describeCertificate), revocationLists: lists.map(describeList) }
    },
    remove(mode, purpose, fingerprint) {
      reread(mode)
      const isOfBase = !given[mode] && named(files[mode][purpose], fingerprint).length === 0
      const list = isOfBase ? 'base' : purpose
      const file = files[mode][list]
      const [authority, another] = named(file, fingerprint)
      if (!authority || another) {
        const why = `it is not the beginning of exactly one fingerprint in ${files[mode][purpose].path}`
        throw invalidRequest('fingerprint', `${why}: give 8 hex digits or more, as \`fisk trust list\` shows them`)
      }
      const rest = without(file, authority)
      if (list === 'base') {
        // First there: after a power cut in between it is in both, and can be removed again.
        const other = purpose === 'service' ? 'uploads' : 'service'
        const { bundle } = files[mode][other]
        store(mode, other, extend(bundle, caFileOf(file.bundle), { ...file, bundle: rest }, 'left out'))
      }
      store(mode, list, rest)
      return { list, removed: describeCertificate(authority) }
    },
  }
}

/** The authorities of a file whose fingerprint begins so. */
function named({ bundle }: BundleFile, text: string): X509Certificate[] {
  const digits = text.replaceAll(/[:\s]/g, '').toUpperCase()
  if (!/^[0-9A-F]{8,64}$/.test(digits)) return []
  return bundle.authorities.filter((authority) => describeCertificate(authority).fingerprint.startsWith(digits))
}

function openFiles(paths: Record<TrustList, string>): ModeFiles {
  const base = openBundleFile(paths.base, null)
  return { base, service: openBundleFile(paths.service, base), uploads: openBundleFile(paths.uploads, base) }
}

/**
 * What revokes uploaded certificates: whoever brought a list of the base's issuers for the service meant it, too. An issuer
 * of the service alone revokes nothing, although it may bear the name of another one.
 */
function countingLists({ base, service, uploads }: ModeFiles): RevocationList[] {
  const trusted = [base, uploads].flatMap(({ bundle }) => bundle.authorities.map(({ raw }) => raw))
  const all = [base, uploads, service].flatMap(({ bundle }) => bundle.lists)
  return newestLists(all.filter(({ signer }) => trusted.some((raw) => raw.equals(signer.raw))))
}

function extendByUpload({ bundle, base }: BundleFile, upload: Buffer, now: EpochMs): Bundle {
  try {
    const file = readCaFile(upload)
    refuseExpired(file.authorities, now)
    return extend(bundle, file, base)
  } catch (error) {
    if (error instanceof CaFileRefusal) {
      throw invalidRequest('certificates', `the file cannot be trusted: ${error.message}`)
    }
    throw error
  }
}

interface Bundle {
  authorities: X509Certificate[]
  lists: RevocationList[]
}

/** A PEM file with CA certificates and revocation lists, and what of it is in use. */
interface BundleFile {
  readonly path: string
  /** What counts besides: its authorities may have signed lists in this file. Null for a base itself. */
  readonly base: BundleFile | null
  bundle: Bundle
  /** The file as it was last read or written. */
  stamp: string
}

const EMPTY: Bundle = { authorities: [], lists: [] }

/** A file that is of no use keeps nothing from starting: what needs it says so, and `problemOf` tells why. */
function openBundleFile(path: string, base: BundleFile | null): BundleFile {
  const file: BundleFile = { path, base, bundle: EMPTY, stamp: '' }
  rereadBundle(file)
  return file
}

/** Why the file differs from what is in use; null when both are equal. */
function problemOf(file: BundleFile): string | null {
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
function rereadBundle(file: BundleFile, baseHasChanged = false): boolean {
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
function storeBundle(file: BundleFile, bundle: Bundle): void {
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
 * A bundle with more in it: no authority of the base, no list that is not newer than one that is there.
 * @throws CaFileRefusal
 */
function extend(bundle: Bundle, more: CaFile, of: BundleFile['base'], orphans: Orphans = 'refused'): Bundle {
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
function without({ bundle, base }: BundleFile, authority: X509Certificate): Bundle {
  return extend(
    EMPTY,
    caFileOf({ ...bundle, authorities: bundle.authorities.filter((one) => one !== authority) }),
    base,
    'left out',
  )
}

function caFileOf(bundle: Bundle): CaFile {
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

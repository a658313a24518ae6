import type { X509Certificate } from 'node:crypto'
import type { TrustList } from '../../domain/certificate.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { RevocationLists, TrustBundles, TrustCare, TrustFiles } from '../../fiscal/ports/trust.ts'
import {
  type Bundle,
  type BundleFile,
  caFileOf,
  extend,
  openBundleFile,
  problemOf,
  rereadBundle,
  storeBundle,
  without,
} from './bundle-file.ts'
import { CaFileRefusal, describeCertificate, readCaFile, refuseExpired } from './ca-files.ts'
import { describeList, listedSince, newestLists, type RevocationList } from './revocation-list.ts'

export type TrustPaths = Record<Mode, Record<TrustList, string>>

/** The trust bundles of both modes, each of some PEM files. */
export type TrustBundleFiles = TrustBundles & TrustFiles & RevocationLists & Pick<TrustCare, 'fileProblem'>

type ModeFiles = Record<TrustList, BundleFile>

/**
 * A file that is missing or of no use is an empty one. Certificates that expired after their installation stay.
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

import type { X509Certificate } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { invalidRequest } from '../domain/errors.ts'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { TrustBundles, TrustedCertificate } from '../fiscal/ports.ts'
import { CaFileRefusal, describeCertificate, readCaFile, refuseExpired } from './ca-files.ts'
import { pemOf } from './pem.ts'

/** The trust bundles of both modes, each a PEM file. */
export interface TrustBundleFiles extends TrustBundles {
  /** The bundle as PEM text, empty when none was installed. */
  pem(mode: Mode): string
  list(mode: Mode): TrustedCertificate[]
  /**
   * Adds the CA certificates of a file, all or none, and stores the bundle before it returns.
   * @param file PEM with one or many certificates, or DER
   * @returns those that were not trusted before
   * @throws FiskError `invalid_request`, param `certificates`, when the file holds anything else than CA certificates
   *   that have not run out
   */
  add(mode: Mode, file: Buffer): TrustedCertificate[]
}

/**
 * Reads the bundles; a file that does not exist is an empty bundle. What has run out since it was installed stays.
 * @throws Error naming the file when one cannot be read or holds anything else than CA certificates
 */
export function createTrustBundles(paths: Record<Mode, string>, now: () => EpochMs = Date.now): TrustBundleFiles {
  const bundles: Record<Mode, X509Certificate[]> = { test: readBundle(paths.test), live: readBundle(paths.live) }
  const certificates = (mode: Mode) => bundles[mode].map(({ raw }) => raw)

  return {
    certificates,
    pem: (mode) => pemOf(certificates(mode)),
    list: (mode) => bundles[mode].map(describeCertificate),
    add(mode, file) {
      const extended = distinct([...bundles[mode], ...readUpload(file, now())])
      const added = extended.slice(bundles[mode].length)
      if (added.length > 0) writeDurably(paths[mode], pemOf(extended.map(({ raw }) => raw)))
      bundles[mode] = extended
      return added.map(describeCertificate)
    },
  }
}

function readUpload(file: Buffer, now: EpochMs): X509Certificate[] {
  try {
    const certificates = readCaFile(file)
    refuseExpired(certificates, now)
    return certificates
  } catch (error) {
    if (error instanceof CaFileRefusal) {
      throw invalidRequest('certificates', `the file cannot be trusted: ${error.message}`)
    }
    throw error
  }
}

function readBundle(path: string): X509Certificate[] {
  try {
    const file = readFileSync(path)
    return file.toString('latin1').trim() === '' ? [] : distinct(readCaFile(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`the trust bundle ${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

function distinct(certificates: X509Certificate[]): X509Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate])).values()]
}

/** After a power cut there is the old bundle or the new one, never half of one. */
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

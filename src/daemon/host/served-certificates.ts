import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { attempt } from '../../domain/attempt.ts'
import type { CertificateFile, ServedCertificates } from '../../fiscal/ports/machine.ts'
import type { Config } from '../config.ts'
import { caKeyPath, caPath, isKeyOf } from '../http/local-ca.ts'
import { missingNames, serverKeyPath, serverPath } from '../http/local-server-certificate.ts'
import { namesOf, tlsDir } from '../http/server-tls.ts'

export function servedCertificates(config: Config): ServedCertificates {
  const dir = tlsDir(config.dataDir)
  const caDir = tlsDir(config.sharedDir)
  const areLocal = config.tls === null
  const { certPath, keyPath } = config.tls ?? { certPath: serverPath(dir), keyPath: serverKeyPath(dir) }
  return {
    areLocal,
    async server() {
      const certificate = await read(certPath)
      if (!certificate) return { path: certPath, unreadable: true }
      const authority = areLocal ? await read(caPath(caDir)) : null
      return {
        ...(await fileOf(certificate, certPath, keyPath, areLocal ? isKeyOf : isKeyOfAnyKind)),
        isIssuedByLocalCa:
          authority !== null && certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
        missingNames: missingNames(certificate, namesOf(config)),
      }
    },
    async localCa() {
      const path = caPath(caDir)
      const certificate = await read(path)
      return certificate ? fileOf(certificate, path, caKeyPath(caDir), isKeyOf) : { path, unreadable: true }
    },
  }
}

async function fileOf(
  certificate: X509Certificate,
  path: string,
  keyPath: string,
  isItsKey: (keyPem: string, certificate: X509Certificate) => boolean,
): Promise<CertificateFile> {
  const keyPem = await readFile(keyPath, 'utf8').catch(() => '')
  return {
    path,
    keyPath,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    hasItsKey: isItsKey(keyPem, certificate),
  }
}

async function read(path: string): Promise<X509Certificate | null> {
  return readFile(path)
    .then((pem) => new X509Certificate(pem))
    .catch(() => null)
}

/** The operator's may be RSA; the local ones are not. */
const isKeyOfAnyKind = (keyPem: string, certificate: X509Certificate): boolean =>
  attempt(() => certificate.checkPrivateKey(createPrivateKey(keyPem)), false)

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type FiskError, invalidRequest, type Reason } from '../domain/errors.ts'
import type { OpenedCertificate } from '../fiscal/ports/certificates.ts'
import { attributeTexts, formatName } from '../x509/distinguished-name.ts'
import { isSelfIssued, type ParsedCertificate, tryParseCertificate } from '../x509/parsed-certificate.ts'
import { CERTIFICATE_BOUNDS } from './bounds.ts'
import { belongsTogether, oibElsewhere, subjectOib } from './inspector.ts'
import { createKeyDerivation, DerivationFailed } from './key-derivation.ts'
import { Pkcs12Error } from './pkcs12-asn1.ts'
import { readContainer, WrongPassphrase } from './pkcs12-container.ts'

const COMMON_NAME = '2.5.4.3'
const LEAST_KEY_BITS = 2048

/** Opens a PKCS#12 container (see `CertificateOpener.open`); the caller limits its size and the parallel calls. */
export async function openPkcs12(file: Buffer, passphrase: string, signal?: AbortSignal): Promise<OpenedCertificate> {
  const { keys, certificates } = await readFile(file, passphrase, signal)
  if (certificates.length > CERTIFICATE_BOUNDS.certificates.most) {
    throw refused(`it holds ${certificates.length} certificates; export the key with its own chain only`)
  }
  const [keyDer] = keys
  if (keyDer === undefined) {
    throw refused('it holds no private key; export the certificate together with its key', 'file_no_key')
  }
  if (keys.length > 1)
    throw refused(`it holds ${keys.length} private keys; export only the one of the fiscal certificate`)
  if (certificates.reduce((sum, { length }) => sum + length, 0) > CERTIFICATE_BOUNDS.certificateBytes.most)
    throw refused('its certificates are too large; export the key with its own chain only')
  const key = readKey(keyDer)
  const leaf = leafOf(key, certificates)
  const names = {
    subjectCn: attributeTexts(leaf.pki.subject, COMMON_NAME).at(-1) ?? '',
    issuer: formatName(leaf.pki.issuer),
    serial: leaf.openssl.serialNumber.toUpperCase(),
  }
  if (Object.values(names).some((name) => name.length > CERTIFICATE_BOUNDS.names.most))
    throw refused('the name of its subject or issuer is too long')
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'der' }),
    certificate: leaf.der,
    intermediates: certificates.filter((der) => !der.equals(leaf.der)),
    subjectOib: subjectOib(leaf.pki.subject),
    oibElsewhere: oibElsewhere(leaf.pki.subject),
    ...names,
    notBefore: leaf.pki.notBefore.value.getTime(),
    notAfter: leaf.pki.notAfter.value.getTime(),
  }
}

async function readFile(file: Buffer, passphrase: string, signal: AbortSignal | undefined) {
  if (file.subarray(0, 64).includes('-----BEGIN')) {
    const why = 'it is PEM text; make a PKCS#12 of key and certificate with `openssl pkcs12 -export`'
    throw refused(why, 'file_of_pem')
  }
  const derivation = createKeyDerivation()
  signal?.addEventListener('abort', derivation.stop)
  try {
    return await readContainer(file, passphrase, derivation)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DerivationFailed) throw error
    if (error instanceof WrongPassphrase) {
      throw invalidRequest(
        'passphrase',
        'The passphrase does not open the file: check upper and lower case, and the keyboard.',
        'passphrase_wrong',
      )
    }
    if (error instanceof Pkcs12Error) throw refused(error.message)
    // Any other error of malformed bytes, without a cause, which could quote decrypted data.
    throw refused('it is damaged or cut short')
  } finally {
    derivation.stop()
    signal?.removeEventListener('abort', derivation.stop)
  }
}

function readKey(der: Buffer): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    throw refused('its private key cannot be read')
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw refused(`its key is of type ${key.asymmetricKeyType ?? 'unknown'}; the tax authority takes RSA only`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_KEY_BITS) throw refused(`its RSA key has ${bits} bits; ${LEAST_KEY_BITS} or more are needed`)
  return key
}

/** The certificate of the key; of several, as after a renewal, the one of a CA with the latest end. */
function leafOf(key: KeyObject, certificates: Buffer[]): ParsedCertificate {
  const [leaf] = certificates
    .flatMap((der) => tryParseCertificate(der) ?? [])
    .filter(({ openssl }) => belongsTogether(key, openssl))
    .sort(
      (a, b) =>
        Number(isSelfIssued(a)) - Number(isSelfIssued(b)) ||
        b.pki.notAfter.value.getTime() - a.pki.notAfter.value.getTime(),
    )
  if (!leaf) throw refused('it holds no certificate for its private key; export the two together')
  return leaf
}

function refused(why: string, reason: Reason = 'file_no_certificate'): FiskError {
  return invalidRequest('file', `The file cannot be used as a certificate: ${why}.`, reason)
}

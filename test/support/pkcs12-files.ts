import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface KeyAndCertificateFiles {
  keyPath: string
  certPath: string
  keyDer: Buffer
  certDer: Buffer
}

export interface Pkcs12Order {
  /** Left out: a file without a key. */
  keyPath?: string
  certPaths?: string[]
  passphrase: string
  /** Further arguments of `openssl pkcs12 -export`, e.g. `-legacy`. */
  options?: string[]
}

export interface OpensslWorkshop {
  /** A new key and a self-signed certificate. @param subject as `openssl req -subj` takes it, UTF-8 */
  makeCertificate(name: string, subject: string, keyOptions?: string[]): KeyAndCertificateFiles
  /** Another certificate, for a key that is there. */
  certify(name: string, subject: string, keyPath: string, days?: number): KeyAndCertificateFiles
  /** A PKCS#12 file, written by the OpenSSL command. */
  exportPkcs12(order: Pkcs12Order): Buffer
  close(): void
}

/** Whether the command is there, and with it the module for RC2. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['list', '-providers', '-provider', 'legacy'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** PKCS#12 files made in a temporary directory by a tool that is not ours. */
export function openWorkshop(): OpensslWorkshop {
  const directory = mkdtempSync(join(tmpdir(), 'fiskd-pkcs12-'))
  const at = (name: string) => join(directory, name)
  const openssl = (args: string[], passphrase = '') =>
    execFileSync('openssl', args, {
      env: { ...process.env, PASSPHRASE: passphrase },
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  const certify: OpensslWorkshop['certify'] = (name, subject, keyPath, days = 30) => {
    const certPath = at(`${name}.pem`)
    const request = ['req', '-x509', '-new', '-key', keyPath, '-utf8', '-subj', subject, '-days', String(days)]
    openssl([...request, '-out', certPath])
    return {
      keyPath,
      certPath,
      keyDer: openssl(['pkcs8', '-topk8', '-nocrypt', '-in', keyPath, '-outform', 'DER']),
      certDer: openssl(['x509', '-in', certPath, '-outform', 'DER']),
    }
  }

  return {
    certify,
    makeCertificate(name, subject, keyOptions = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']) {
      const keyPath = at(`${name}.key`)
      openssl(['genpkey', ...keyOptions, '-out', keyPath])
      return certify(name, subject, keyPath)
    },
    exportPkcs12({ keyPath, certPaths = [], passphrase, options = [] }) {
      const out = at('out.p12')
      const input = keyPath === undefined ? ['-nokeys'] : ['-inkey', keyPath]
      const [first, ...others] = certPaths
      const certificates = first === undefined ? ['-nocerts', '-in', keyPath ?? ''] : ['-in', first]
      const more = others.flatMap((path) => ['-certfile', path])
      const command = ['pkcs12', '-export', ...input, ...certificates, ...more, '-passout', 'env:PASSPHRASE']
      openssl([...command, ...options, '-out', out], passphrase)
      return readFileSync(out)
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

import { basename } from 'node:path'
import { CertificateSchema, type CertificateView } from '../contract/v1/fleet.ts'
import { CERTIFICATE_FILE_BYTES } from '../domain/upload.ts'
import type { Client } from './daemon/client.ts'
import { refused } from './failure.ts'
import { readInput } from './files.ts'

export interface CertificateFile {
  name: string
  bytes: Buffer
}

/** Reads a PKCS#12 file. One that is too large is refused here: the daemon would hang up in the middle of it. */
export async function readCertificate(param: string, path: string): Promise<CertificateFile> {
  const bytes = await readInput(param, path)
  if (bytes.length <= CERTIFICATE_FILE_BYTES) return { name: basename(path), bytes }
  throw refused('file_too_large', param, `${path} is larger than 256 KB: it is not a fiscal certificate.`)
}

interface Upload {
  company: string
  file: CertificateFile
  passphrase: string
  label?: string | undefined
}

export function uploadCertificate(client: Client, upload: Upload): Promise<CertificateView> {
  return client.upload('/v1/certificates', CertificateSchema, certificateForm(upload))
}

/** What an upload is made of. */
export function certificateForm({ company, file, passphrase, label }: Upload): FormData {
  const form = new FormData()
  form.set('company_id', company)
  form.set('passphrase', passphrase)
  if (label !== undefined) form.set('label', label)
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: 'application/x-pkcs12' }), file.name)
  return form
}

import { basename } from 'node:path'
import type { TSchema } from 'typebox'
import { CertificateCheckSchema, CertificateSchema } from '../contract/v1/fleet.ts'
import { CERTIFICATE_FILE_BYTES } from '../domain/upload.ts'
import type { Client } from './daemon/client.ts'
import { Failure, refused } from './failure.ts'
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
  /** Its id. */
  company: string
  file: CertificateFile
  passphrase: string
  label?: string | undefined
}

type NamedUpload = Upload & { named: string }

/** @param upload `named` is the company as a person names it @throws Failure that says what to type when the file cannot be used */
export const uploadCertificate = (client: Client, upload: NamedUpload) =>
  sent(client, '/v1/certificates', CertificateSchema, upload)

/** Whether the company signs with what the file holds. @throws Failure as `uploadCertificate` */
export const checkCertificate = (client: Client, upload: NamedUpload) =>
  sent(client, '/admin/certificates/check', CertificateCheckSchema, upload)

async function sent<S extends TSchema>(client: Client, path: string, schema: S, upload: NamedUpload) {
  try {
    return await client.upload(path, schema, certificateForm(upload))
  } catch (error) {
    if (!(error instanceof Failure) || error.body.error.type !== 'validation_error') throw error
    const { code, param } = error.body.error
    const why = param === 'passphrase' ? 'Type it again' : (TAKE_ANOTHER[code] ?? 'With the right file')
    throw new Failure(error.body, error.exitCode, `${why}: fisk cert add --company ${upload.named} --file FILE`)
  }
}

const TAKE_ANOTHER: Record<string, string> = {
  certificate_expired: 'Take the renewed one, or order it from FINA, then',
  'hr.certificate_oib_mismatch': 'Take the certificate that was issued to this company, then',
}

export function certificateForm({ company, file, passphrase, label }: Upload): FormData {
  const form = new FormData()
  form.set('company_id', company)
  form.set('passphrase', passphrase)
  if (label !== undefined) form.set('label', label)
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: 'application/x-pkcs12' }), file.name)
  return form
}

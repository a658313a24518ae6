import type { TSchema } from 'typebox'
import { CertificateCheckSchema, CertificateSchema } from '../contract/v1/fleet.ts'
import { CERTIFICATE_FILE_BYTES } from '../domain/upload.ts'
import type { Client } from './daemon/client.ts'
import { Failure } from './failure.ts'
import { formOf, readUpload, type Upload } from './files.ts'

export const readCertificate = (param: string, path: string) =>
  readUpload(param, path, CERTIFICATE_FILE_BYTES, '256 KB: it is not a fiscal certificate.')

interface CertificateUpload {
  company: string
  file: Upload
  passphrase: string
  label?: string | undefined
}

type NamedUpload = CertificateUpload & { named: string }

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

export const certificateForm = ({ company, file, passphrase, label }: CertificateUpload) =>
  formOf({ company_id: company, passphrase, label }, file, 'application/x-pkcs12')

import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Certificate, List } from '../answers.ts'
import type { Client } from '../client.ts'
import { refused } from '../failure.ts'
import { readInput } from '../files.ts'
import { companyId } from '../references.ts'
import { type SecretOptions, secretFrom, secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import { fields } from '../text.ts'
import { localTime } from '../times.ts'

interface AddOptions extends SecretOptions<'passphrase'> {
  company: string
  file: string
  label?: string
}

export function register(program: Command, session: Session): void {
  const cert = program.command('cert').description('Fiscal certificates of companies')
  const add = cert
    .command('add')
    .description("Upload a company's fiscal certificate. It replaces the one the company had.")
    .requiredOption('--company <oib-or-id>', 'whose certificate it is')
    .requiredOption('--file <file>', 'the PKCS#12 file (.p12, .pfx)')
    .option('--label <text>', 'a name for people')
    .addHelpText('after', '\nExample:\n  fisk cert add --company 02994650199 --file fiskal1.p12')
    .action((options: AddOptions) => addCertificate(options, session))
  for (const option of secretOptions('passphrase')) add.addOption(option)
  cert
    .command('list')
    .description('List certificates, the newest first.')
    .option('--company <oib-or-id>', 'of one company')
    .option('--status <status>', 'valid, expiring, expired, superseded or revoked')
    .addHelpText('after', '\nExample:\n  fisk cert list --status expiring')
    .action((options: ListOptions) => listCertificates(options, session))
  cert
    .command('revoke')
    .description('Mark a certificate as revoked by its issuer. Nothing is signed with it from now on.')
    .argument('<id>', 'its id, as `fisk cert list --json` shows it')
    .addHelpText('after', '\nExample:\n  fisk cert revoke 0198c7a2-5d1e-7000-8000-3f6f1c2d4e5f')
    .action((id: string) => revokeCertificate(id, session))
}

interface ListOptions {
  company?: string
  status?: string
}

async function listCertificates({ company, status }: ListOptions, session: Session): Promise<void> {
  const query = new URLSearchParams({
    ...(company !== undefined && { company_id: companyId(company) }),
    ...(status !== undefined && { status }),
  })
  const client = await session.client()
  await session.show(await client.get<List<Certificate>>(`/v1/certificates?${query}`), certificatesText)
}

async function revokeCertificate(id: string, session: Session): Promise<void> {
  const client = await session.client()
  const path = `/admin/certificates/${encodeURIComponent(id)}/revoke`
  await session.show(await client.post<Certificate>(path), certificateText)
}

async function addCertificate(options: AddOptions, session: Session): Promise<void> {
  const company = companyId(options.company)
  const file = await readCertificate('file', options.file)
  const passphrase = await secretFrom('passphrase', options, session, 'Passphrase of the certificate')
  const client = await session.client()
  await session.show(
    await uploadCertificate(client, { company, file, passphrase, label: options.label }),
    certificateText,
  )
}

export interface CertificateFile {
  name: string
  bytes: Buffer
}

/** The limit of the upload (interface.md, Limits). */
const MAX_FILE_BYTES = 256 * 1024

/** Reads a PKCS#12 file. One that is too large is refused here: the daemon would hang up in the middle of it. */
export async function readCertificate(param: string, path: string): Promise<CertificateFile> {
  const bytes = await readInput(param, path)
  if (bytes.length <= MAX_FILE_BYTES) return { name: basename(path), bytes }
  throw refused('file_too_large', param, `${path} is larger than 256 KB: it is not a fiscal certificate.`)
}

interface Upload {
  company: string
  file: CertificateFile
  passphrase: string
  label?: string | undefined
}

export function uploadCertificate(client: Client, { company, file, passphrase, label }: Upload): Promise<Certificate> {
  const form = new FormData()
  form.set('company_id', company)
  form.set('passphrase', passphrase)
  if (label !== undefined) form.set('label', label)
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: 'application/x-pkcs12' }), file.name)
  return client.upload<Certificate>('/v1/certificates', form)
}

function certificateText(certificate: Certificate): string {
  return fields([
    ['certificate', certificate.subject_cn],
    ['label', certificate.label],
    ['OIB', certificate.subject_oib],
    ['issuer', certificate.issuer],
    ['serial', certificate.serial],
    ['valid until', `${localTime(certificate.not_after)} (${certificate.days_until_expiry} days)`],
    ['status', certificate.status],
    ['id', certificate.id],
  ])
}

function certificatesText({ data }: List<Certificate>): Promise<string> {
  const columns = [
    { head: 'Certificate' },
    { head: 'OIB', width: 11 },
    { head: 'Valid until', width: 19 },
    { head: 'Status', width: 10 },
  ]
  const rows = data.map((certificate) => [
    certificate.label ?? certificate.subject_cn,
    certificate.subject_oib,
    localTime(certificate.not_after) ?? '',
    certificate.status,
  ])
  return table(columns, rows)
}

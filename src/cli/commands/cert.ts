import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { Certificate } from '../answers.ts'
import type { Client } from '../client.ts'
import { refused, wrongUse } from '../failure.ts'
import { passphraseFile, passphraseStdin, readInput } from '../files.ts'
import { companyId } from '../references.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'
import { localTime } from '../times.ts'

interface AddOptions extends PassphraseOptions {
  company: string
  file: string
  label?: string
}

interface PassphraseOptions {
  passphraseFile?: string
  passphraseStdin?: true
}

export function register(program: Command, session: Session): void {
  const cert = program.command('cert').description('Fiscal certificates of companies')
  cert
    .command('add')
    .description("Upload a company's fiscal certificate. It replaces the one the company had.")
    .requiredOption('--company <oib-or-id>', 'whose certificate it is')
    .requiredOption('--file <file>', 'the PKCS#12 file (.p12, .pfx)')
    .option('--passphrase-file <file>', 'a file that holds the passphrase')
    .addOption(new Option('--passphrase-stdin', 'read the passphrase from standard input').conflicts('passphraseFile'))
    .option('--label <text>', 'a name for people')
    .addHelpText('after', '\nExample:\n  fisk cert add --company 02994650199 --file fiskal1.p12')
    .action((options: AddOptions) => addCertificate(options, session))
}

async function addCertificate(options: AddOptions, session: Session): Promise<void> {
  const company = companyId(options.company)
  const file = await readCertificate('file', options.file)
  const passphrase = await passphraseFrom(options, session)
  const client = await session.client()
  await session.show(
    await uploadCertificate(client, { company, file, passphrase, label: options.label }),
    certificateText,
  )
}

/** The passphrase from where the options say it is; asked for on a terminal when they say nothing. */
export async function passphraseFrom(options: PassphraseOptions, session: Session): Promise<string> {
  if (options.passphraseFile !== undefined) return passphraseFile(options.passphraseFile)
  if (options.passphraseStdin) return passphraseStdin(session.io)
  if (!session.mayAsk()) {
    throw wrongUse('passphrase', 'The passphrase is missing.', 'Give --passphrase-file FILE or --passphrase-stdin.')
  }
  const { createPrompter } = await import('../prompts.ts')
  return (await createPrompter(session.io)).password('Passphrase of the certificate')
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

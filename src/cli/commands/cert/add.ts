import type { Command } from 'commander'
import { CertificateList, type CertificateView } from '../../../contract/v1/fleet.ts'
import { readCertificate, uploadCertificate } from '../../certificate-file.ts'
import { consent, yesOption } from '../../consent.ts'
import type { Client } from '../../daemon/client.ts'
import { companyId } from '../../daemon/references.ts'
import { type SecretOptions, secretFrom, secretOptions } from '../../secrets.ts'
import type { Session } from '../../session.ts'
import { certificateText } from '../../text/certificate-text.ts'
import { clean } from '../../text/columns.ts'
import { localTime } from '../../text/times.ts'

interface Options extends SecretOptions<'passphrase'> {
  company: string
  file: string
  label?: string
  yes?: true
}

export function register(cert: Command, session: Session): void {
  const add = cert
    .command('add')
    .description("Upload a company's fiscal certificate. It replaces the one the company had.")
    .requiredOption('--company <oib-or-id>', 'whose certificate it is')
    .requiredOption('--file <file>', 'the PKCS#12 file (.p12, .pfx)')
    .option('--label <text>', 'a name for people')
  for (const option of secretOptions('passphrase')) add.addOption(option)
  add
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk cert add --company 02994650199 --file fiskal1.p12\n' +
        '  fisk cert add --company 02994650199 --file fiskal2.p12 \\\n    --passphrase-file secret.txt --yes',
    )
    .action((options: Options) => addCertificate(options, session))
}

async function addCertificate(options: Options, session: Session): Promise<void> {
  const company = companyId(options.company)
  const file = await readCertificate('file', options.file)
  const passphrase = await secretFrom('passphrase', options, session, 'Passphrase of the certificate')
  const client = await session.client()
  const replaced = await inUse(client, company)
  if (replaced) {
    const { label, subject_cn, not_after } = replaced
    const which = `${clean(label ?? subject_cn)}, valid until ${localTime(not_after)}`
    await consent(session, options.yes, `Replace the certificate in use (${which})?`)
  }
  await session.show(
    await uploadCertificate(client, { company, named: options.company, file, passphrase, label: options.label }),
    certificateText,
  )
}

/** The certificate that the company signs with now. An expired one does not count. */
async function inUse(client: Client, company: string): Promise<CertificateView | undefined> {
  const { data } = await client.get(`/v1/certificates?company_id=${company}`, CertificateList)
  return data.find(({ status }) => status === 'valid' || status === 'expiring')
}

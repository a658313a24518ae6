import { CertificateList, CertificateSchema, type CertificateView } from '../../contract/v1/fleet.ts'
import { CERTIFICATE_STATUSES } from '../../domain/certificate.ts'
import { readCertificate, uploadCertificate } from '../certificate-file.ts'
import type { Command, Flags, Given, Needed } from '../command.ts'
import { consent, yesOption } from '../consent.ts'
import { type ListOptions, showPage, tableOf } from '../daemon/lists.ts'
import { companyId } from '../daemon/references.ts'
import { type SecretOptions, secretFrom, secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { clean, englishFields } from '../text/columns.ts'
import { columnsOf, csvOption } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { layoutOf } from '../text/table.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const cert = program.command('cert').description('Fiscal certificates of companies')
  cert
    .subcommand('add', "Upload a company's fiscal certificate. It replaces the one the company had.")
    .requiredOption('--company <oib-or-id>', 'whose certificate it is')
    .requiredOption('--file <file>', 'the PKCS#12 file (.p12, .pfx)')
    .option('--label <text>', 'a name for people')
    .with(secretOptions('passphrase'))
    .addOption(yesOption())
    .examples(
      'fisk cert add --company 02994650199 --file fiskal1.p12',
      'fisk cert add --company 02994650199 --file fiskal2.p12 \\\n    --passphrase-file secret.txt --yes',
    )
    .action((options: AddOptions) => addCertificate(options, session))
  cert
    .subcommand('list', 'List certificates, the newest first.')
    .option('--company <oib-or-id>', 'of one company')
    .choice('--status <status>', 'in one status', CERTIFICATE_STATUSES)
    .addOption(csvOption())
    .examples('fisk cert list --status expiring')
    .action((options: FilterOptions) => listCertificates(options, session))
  cert
    .subcommand('revoke', 'Mark a certificate as revoked by its issuer. Nothing is signed with it from now on.')
    .argument('<id>', 'its id, as `fisk cert list --json` shows it')
    .addOption(yesOption())
    .examples('fisk cert revoke 0198c7a2-5d1e-7000-8000-3f6f1c2d4e5f --yes')
    .action(async (id: string, { yes }: { yes?: true }) => {
      await consent(
        session,
        yes,
        `Revoke the certificate ${clean(id)} for good? Its company cannot sell without another.`,
      )
      const path = `/admin/certificates/${encodeURIComponent(id)}/revoke`
      await session.ask((client) => client.post(path, CertificateSchema), certificateText)
    })
}

type AddOptions = Needed<'company' | 'file'> & Given<'label'> & Flags<'yes'> & SecretOptions<'passphrase'>

async function addCertificate(options: AddOptions, session: Session): Promise<void> {
  const company = companyId(options.company)
  const file = await readCertificate('file', options.file)
  const passphrase = await secretFrom('passphrase', options, session, 'Passphrase of the certificate')
  const client = await session.client()
  const { data } = await client.get(`/v1/certificates?company_id=${company}`, CertificateList)
  // An expired one does not count.
  const replaced = data.find(({ status }) => status === 'valid' || status === 'expiring')
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

type FilterOptions = ListOptions & Given<'company' | 'status'>

async function listCertificates({ company, status, csv }: FilterOptions, session: Session): Promise<void> {
  const query = new URLSearchParams({
    ...(company !== undefined && { company_id: companyId(company) }),
    ...(status !== undefined && { status }),
  })
  const client = await session.client()
  await showPage(session, await client.get(`/v1/certificates?${query}`, CertificateList), ROWS, csv)
}

const LAYOUT = layoutOf({ Certificate: null, OIB: 11, 'Valid until': 19, Status: 14 })

const ROWS = tableOf<CertificateView>(LAYOUT, {
  none: 'There is no such certificate.',
  cells: ({ label, subject_cn, subject_oib, not_after, status }, say) => [
    label ?? subject_cn,
    subject_oib,
    localTime(not_after) ?? '',
    say(status),
  ],
  sheet: {
    ...columnsOf('id', 'label', 'subject_cn', 'subject_oib', 'issuer', 'serial'),
    ...columnsOf('not_before', 'not_after', 'status', 'company_id'),
  },
})

function certificateText(certificate: CertificateView, screen: Screen): string {
  return englishFields(screen, [
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

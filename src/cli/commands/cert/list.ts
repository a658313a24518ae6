import { type Command, Option } from 'commander'
import type { ListView } from '../../../contract/list.ts'
import { CertificateList, type CertificateView } from '../../../contract/v1/fleet.ts'
import { CERTIFICATE_STATUSES } from '../../../domain/certificate.ts'
import { companyId } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { table } from '../../text/table.ts'
import { localTime } from '../../text/times.ts'

interface Options {
  company?: string
  status?: string
}

export function register(cert: Command, session: Session): void {
  cert
    .command('list')
    .description('List certificates, the newest first.')
    .option('--company <oib-or-id>', 'of one company')
    .addOption(new Option('--status <status>', 'in one status').choices(CERTIFICATE_STATUSES))
    .addHelpText('after', '\nExample:\n  fisk cert list --status expiring')
    .action((options: Options) => listCertificates(options, session))
}

async function listCertificates({ company, status }: Options, session: Session): Promise<void> {
  const query = new URLSearchParams({
    ...(company !== undefined && { company_id: companyId(company) }),
    ...(status !== undefined && { status }),
  })
  const client = await session.client()
  await session.show(await client.get(`/v1/certificates?${query}`, CertificateList), certificatesText)
}

function certificatesText({ data }: ListView<CertificateView>): string {
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

import { type Command, Option } from 'commander'
import { CertificateList, type CertificateView } from '../../../contract/v1/fleet.ts'
import { CERTIFICATE_STATUSES } from '../../../domain/certificate.ts'
import { type ListOptions, showPage, tableOf } from '../../daemon/lists.ts'
import { companyId } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { csvOption } from '../../text/csv.ts'
import { localTime } from '../../text/times.ts'

interface Options extends ListOptions {
  company?: string
  status?: string
}

export function register(cert: Command, session: Session): void {
  cert
    .command('list')
    .description('List certificates, the newest first.')
    .option('--company <oib-or-id>', 'of one company')
    .addOption(new Option('--status <status>', 'in one status').choices(CERTIFICATE_STATUSES))
    .addOption(csvOption())
    .addHelpText('after', '\nExample:\n  fisk cert list --status expiring')
    .action((options: Options) => listCertificates(options, session))
}

async function listCertificates({ company, status, csv }: Options, session: Session): Promise<void> {
  const query = new URLSearchParams({
    ...(company !== undefined && { company_id: companyId(company) }),
    ...(status !== undefined && { status }),
  })
  const client = await session.client()
  await showPage(session, await client.get(`/v1/certificates?${query}`, CertificateList), ROWS, csv)
}

const LAYOUT = [
  { head: 'Certificate' },
  { head: 'OIB', width: 11 },
  { head: 'Valid until', width: 19 },
  { head: 'Status', width: 14 },
]

const ROWS = tableOf<CertificateView>(LAYOUT, {
  none: 'There is no such certificate.',
  cells: ({ label, subject_cn, subject_oib, not_after, status }, say) => [
    label ?? subject_cn,
    subject_oib,
    localTime(not_after) ?? '',
    say(status),
  ],
  sheet: {
    id: ({ id }) => id,
    label: ({ label }) => label,
    subject_cn: ({ subject_cn }) => subject_cn,
    subject_oib: ({ subject_oib }) => subject_oib,
    issuer: ({ issuer }) => issuer,
    serial: ({ serial }) => serial,
    not_before: ({ not_before }) => not_before,
    not_after: ({ not_after }) => not_after,
    status: ({ status }) => status,
    company_id: ({ company_id }) => company_id,
  },
})

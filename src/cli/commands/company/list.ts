import { type Command, Option } from 'commander'
import { CompanySchema, type CompanyView } from '../../../contract/v1/fleet.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { pages, showAll, tableOf } from '../../daemon/lists.ts'
import type { Session } from '../../session.ts'
import { localTime } from '../../text/times.ts'

export function register(company: Command, session: Session): void {
  company
    .command('list')
    .description('List companies, the oldest first.')
    .addOption(new Option('--status <status>', 'in one status').choices(ACTIVE_STATUSES))
    .addHelpText('after', '\nExample:\n  fisk company list')
    .action(({ status }: { status?: string }) => listCompanies(status, session))
}

async function listCompanies(status: string | undefined, session: Session): Promise<void> {
  await showAll(session, pages(await session.client(), '/v1/companies', CompanySchema, { status }), ROWS)
}

const LAYOUT = [
  { head: 'Company' },
  { head: 'OIB', width: 11 },
  { head: 'Mode', width: 4 },
  { head: 'Status', width: 9 },
  { head: 'Certificate', width: 24 },
]

const ROWS = tableOf<CompanyView>(LAYOUT, 'There is no such company.', (company) => {
  const until = localTime(company.certificate_expires_at)?.slice(0, 10)
  const certificate = [company.certificate_status, ...(until === undefined ? [] : [`until ${until}`])].join(' ')
  return [company.name, company.oib, company.mode, company.status, certificate]
})

import { type Command, Option } from 'commander'
import { CompanySchema, type CompanyView } from '../../../contract/v1/fleet.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { type ListOptions, pages, showAll, tableOf } from '../../daemon/lists.ts'
import type { Session } from '../../session.ts'
import { csvOption } from '../../text/csv.ts'
import { localTime } from '../../text/times.ts'

export function register(company: Command, session: Session): void {
  company
    .command('list')
    .description('List companies, the oldest first.')
    .addOption(new Option('--status <status>', 'in one status').choices(ACTIVE_STATUSES))
    .addOption(csvOption())
    .addHelpText('after', '\nExample:\n  fisk company list')
    .action((options: Options) => listCompanies(options, session))
}

interface Options extends ListOptions {
  status?: string
}

async function listCompanies({ status, csv }: Options, session: Session): Promise<void> {
  await showAll(session, pages(await session.client(), '/v1/companies', CompanySchema, { status }), ROWS, csv)
}

const LAYOUT = [
  { head: 'Company' },
  { head: 'OIB', width: 11 },
  { head: 'Mode', width: 7 },
  { head: 'Status', width: 12 },
  { head: 'Certificate', width: 24 },
]

const ROWS = tableOf<CompanyView>(LAYOUT, {
  none: 'There is no such company.',
  cells: ({ name, oib, mode, status, certificate_status: certificate, certificate_expires_at }, say) => {
    const until = localTime(certificate_expires_at)?.slice(0, 'dd.MM.yyyy'.length)
    return [name, oib, say(mode), say(status), say(until === undefined ? certificate : `${certificate} until ${until}`)]
  },
  sheet: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    oib: ({ oib }) => oib,
    mode: ({ mode }) => mode,
    status: ({ status }) => status,
    vat_registered: ({ vat_registered }) => vat_registered,
    certificate_status: ({ certificate_status }) => certificate_status,
    certificate_expires_at: ({ certificate_expires_at }) => certificate_expires_at,
  },
})

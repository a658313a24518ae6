import { type Command, Option } from 'commander'
import { GatewayCompaniesSchema } from '../../../contract/admin/gateways.ts'
import { consent, yesOption } from '../../consent.ts'
import { wrongUse } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { clean, fields } from '../../text/columns.ts'

interface Options {
  company?: string[]
  anyCompany?: true
  yes?: true
}

export function register(gateway: Command, session: Session): void {
  gateway
    .command('set')
    .description('Say which companies a gateway may sell for. Premises that it holds of others are free then.')
    .argument('<name>', 'its name or id')
    .addOption(new Option('--company <oib...>', 'these, and no other').conflicts('anyCompany'))
    .option('--any-company', 'every company of its tenant, as at first')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk gateway set kiosk-7 --company 02994650199')
    .action((name: string, options: Options) => setGateway(name, options, session))
}

async function setGateway(name: string, { company, anyCompany, yes }: Options, session: Session): Promise<void> {
  if (!company && !anyCompany) throw wrongUse('company', 'Say --company OIB, or --any-company.')
  if (company) {
    const question = `Keep the gateway ${clean(name)} to ${company.map(clean).join(', ')}? It loses all other premises.`
    await consent(session, yes, question)
  }
  const client = await session.client()
  const path = `/admin/gateways/${encodeURIComponent(name)}`
  const set = await client.patch(path, GatewayCompaniesSchema, { companies: company ?? null })
  await session.show(set, (one) =>
    fields([
      ['gateway', clean(one.name)],
      ['sells for', one.companies === null ? 'every company of its tenant' : one.companies.join(', ')],
    ]),
  )
}

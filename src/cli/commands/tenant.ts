import { TenantList, TenantSchema, type TenantView } from '../../contract/admin/access.ts'
import type { ListView } from '../../contract/list.ts'
import type { Command } from '../command.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import { layoutOf, table } from '../text/table.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const tenant = program.subcommand('tenant', 'Tenants, whose companies, keys and users know nothing of each other')
  tenant
    .subcommand('add', 'Make a tenant. Every command works for it with --tenant NAME.')
    .argument('<name>', 'small letters, digits and hyphens')
    .examples('fisk tenant add kava-jadran', 'fisk --tenant kava-jadran status')
    .action((name: string) =>
      session.ask((client) => client.post('/admin/tenants', TenantSchema, { name }), tenantText),
    )
  tenant
    .subcommand('list', 'List tenants.')
    .examples('fisk tenant list')
    .action(() => session.ask((client) => client.get('/admin/tenants', TenantList), tenantsText))
}

function tenantText(tenant: TenantView): string {
  return fields([
    ['tenant', tenant.name],
    ['made', localTime(tenant.created_at)],
  ])
}

function tenantsText({ data }: ListView<TenantView>): string {
  const rows = data.map((tenant) => [tenant.name, localTime(tenant.created_at) ?? ''])
  return table(layoutOf({ Tenant: null, Made: 19 }), rows)
}

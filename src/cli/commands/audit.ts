import type { Command } from 'commander'
import type { AuditEntry, List } from '../answers.ts'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import { localTime } from '../times.ts'

export function register(program: Command, session: Session): void {
  program
    .command('audit')
    .description('Show who did what: keys, users, certificates, changed companies, reads across tenants. Newest first.')
    .option('--limit <count>', 'how many entries, 1 to 200', '50')
    .addHelpText('after', '\nExample:\n  fisk audit --limit 10')
    .action((options: { limit: string }) => showLog(options, session))
}

async function showLog({ limit }: { limit: string }, session: Session): Promise<void> {
  const client = await session.client()
  const query = new URLSearchParams({ limit })
  await session.show(await client.get<List<AuditEntry>>(`/admin/audit?${query}`), logText)
}

function logText({ data }: List<AuditEntry>): Promise<string> {
  const columns = [
    { head: 'When', width: 19 },
    { head: 'Who', width: 10 },
    { head: 'What', width: 19 },
    { head: 'Detail' },
  ]
  return table(
    columns,
    data.map(({ at, action, actor, detail }) => [
      localTime(at) ?? '',
      actor,
      action,
      Object.entries(detail)
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(', '),
    ]),
  )
}

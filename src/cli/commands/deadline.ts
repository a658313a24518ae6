import { ExtendedDeadlineSchema } from '../../contract/admin/alerts.ts'
import type { Command } from '../command.ts'
import { companyId } from '../daemon/references.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const deadline = program
    .command('deadline')
    .description('By when sales have to be delivered after the connection to the tax authority broke')
  deadline
    .command('extend')
    .description(
      'Give a company five working days instead of two, where equipment has to be replaced or the provider is at ' +
        'fault: for the earliest break of its connection whose sales wait. Once for each break; the audit log keeps ' +
        'who and why.',
    )
    .requiredOption('--company <oib>', 'OIB or id')
    .requiredOption('--reason <text>', 'why the law allows it')
    .examples('fisk deadline extend --company 02994650199 --reason "The modem burnt"')
    .action((options: { company: string; reason: string }) => extend(options, session))
}

async function extend({ company, reason }: { company: string; reason: string }, session: Session): Promise<void> {
  const body = { company_id: companyId(company), reason }
  const client = await session.client()
  const extended = await client.post('/admin/deadlines/extend', ExtendedDeadlineSchema, body)
  await session.show(extended, (shown, screen) =>
    fields(
      [
        ['Counts from', localTime(shown.since)],
        ['Due by law', localTime(shown.deadline_at)],
      ],
      screen,
    ),
  )
}

import { ExtendedDeadlineSchema } from '../../contract/admin/alerts.ts'
import type { Command } from '../command.ts'
import { companyId } from '../daemon/references.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const deadline = program.subcommand(
    'deadline',
    'By when sales have to be delivered after the connection to the tax authority broke',
  )
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
    .action(({ company, reason }: { company: string; reason: string }) => {
      const body = { company_id: companyId(company), reason }
      return session.ask(
        (client) => client.post('/admin/deadlines/extend', ExtendedDeadlineSchema, body),
        (shown, screen) => {
          const moments = { 'Counts from': shown.since, 'Due by law': shown.deadline_at }
          const rows = Object.entries(moments).map(([name, at]): [string, string | null] => [name, localTime(at)])
          return fields(rows, screen)
        },
      )
    })
}

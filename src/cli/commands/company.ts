import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as add from './company/add.ts'
import * as list from './company/list.ts'
import * as set from './company/set.ts'

export function register(program: Command, session: Session): void {
  const company = program.command('company').description('Companies that issue receipts')
  for (const command of [add, list, set]) command.register(company, session)
}

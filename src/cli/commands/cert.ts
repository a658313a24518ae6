import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as add from './cert/add.ts'
import * as list from './cert/list.ts'
import * as revoke from './cert/revoke.ts'

export function register(program: Command, session: Session): void {
  const cert = program.command('cert').description('Fiscal certificates of companies')
  for (const command of [add, list, revoke]) command.register(cert, session)
}

import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as ack from './alert/ack.ts'
import * as list from './alert/list.ts'
import * as test from './alert/test.ts'

export function register(program: Command, session: Session): void {
  const alert = program.command('alert').description('Alerts: what somebody should know, and the mails that tell it')
  for (const command of [list, ack, test]) command.register(alert, session)
}

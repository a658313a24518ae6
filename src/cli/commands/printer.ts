import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as list from './printer/list.ts'
import * as set from './printer/set.ts'
import * as status from './printer/status.ts'
import * as test from './printer/test.ts'

export function register(program: Command, session: Session): void {
  const printer = program.command('printer').description('Receipt printers: one for each device that has one')
  for (const command of [list, set, test, status]) command.register(printer, session)
}

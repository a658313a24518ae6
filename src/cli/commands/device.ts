import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as add from './device/add.ts'
import * as importing from './device/import.ts'
import * as list from './device/list.ts'
import * as set from './device/set.ts'

export function register(program: Command, session: Session): void {
  const device = program.command('device').description('Self-service machines')
  for (const command of [add, list, set, importing]) command.register(device, session)
}

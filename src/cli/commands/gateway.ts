import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as accept from './gateway/accept.ts'
import * as add from './gateway/add.ts'
import * as commands from './gateway/commands.ts'
import * as list from './gateway/list.ts'
import * as revoke from './gateway/revoke.ts'
import * as send from './gateway/send.ts'
import * as set from './gateway/set.ts'
import * as show from './gateway/show.ts'

export function register(program: Command, session: Session): void {
  const gateway = program.command('gateway').description('The gateways of this central server')
  for (const command of [add, list, show, set, revoke, accept, send, commands]) command.register(gateway, session)
}

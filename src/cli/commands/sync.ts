import type { Command } from 'commander'
import type { Session } from '../session.ts'
import { register as confirmNumbers } from './sync/confirm-numbers.ts'
import { register as enroll } from './sync/enroll.ts'
import { register as leave } from './sync/leave.ts'
import { register as now } from './sync/now.ts'
import { register as status } from './sync/status.ts'

export function register(program: Command, session: Session): void {
  const sync = program.command('sync').description('the central server that this gateway tells of its sales')
  for (const add of [enroll, status, now, confirmNumbers, leave]) add(sync, session)
}

import type { Command } from 'commander'
import type { Session } from '../session.ts'
import * as clear from './isu/clear.ts'
import * as pending from './isu/pending.ts'
import * as set from './isu/set.ts'

export function register(program: Command, session: Session): void {
  const isu = program.command('isu').description("ISU numbers: the tax authority's mark for each machine")
  for (const command of [set, clear, pending]) command.register(isu, session)
}

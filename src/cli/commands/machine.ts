import { MachineAcceptedSchema, type MachineAcceptedView, StatusSchema } from '../../contract/admin/status.ts'
import type { Command } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'

export function register(program: Command, session: Session): void {
  const machine = program.command('machine').description('The machine that the database is on')
  machine
    .command('accept')
    .description(
      'Go on with this machine, after its board was swapped or its card was moved here: ends the alert that the ' +
        'database was on another machine. Not where the card is a copy: two machines with one card sell the same ' +
        'numbers twice. Such a card is set up anew: fisk replace.',
    )
    .addOption(yesOption())
    .examples('fisk machine accept')
    .action(({ yes }: { yes?: true }) => accept(yes, session))
}

async function accept(yes: true | undefined, session: Session): Promise<void> {
  requireSomebody(session, yes)
  const client = await session.client()
  const { machine_change: change } = await client.get('/admin/status', StatusSchema)
  if (!change) return session.show({ accepted: null }, acceptedText)
  if (!session.wantsJson()) {
    session.io.stdout.write(
      paragraph('', `The database was on ${clean(change.before)}, and this is ${clean(change.now)}.`),
    )
  }
  await consent(session, yes, 'Is this the only machine with this card, and is no copy of it in use?')
  await session.show(await client.post('/admin/machine/accept', MachineAcceptedSchema, {}), acceptedText)
}

const acceptedText = ({ accepted }: MachineAcceptedView) =>
  paragraph(
    '',
    accepted ? `Accepted: ${clean(accepted.now)} is its machine from now on.` : 'There is nothing to accept.',
  )

import { type StoreMoved, StoreMovedSchema } from '../../../contract/reports/one-off.ts'
import type { Command } from '../../command.ts'
import { consent, yesOption } from '../../consent.ts'
import { doneAs, runFiskd } from '../../machine/fiskd-program.ts'
import type { Session } from '../../session.ts'
import { clean, fields, paragraph } from '../../text/columns.ts'

export function register(program: Command, session: Session): void {
  program
    .command('migrate-store')
    .description(
      'Move the SQLite database of a server to PostgreSQL; fiskd must be stopped. Everything is copied in one ' +
        'transaction and compared, or nothing is. The file stays as it was, marked: nothing can be sold on it any more.',
    )
    .argument('<url>', 'an empty database: postgres://USER@HOST/DATABASE')
    .addOption(yesOption())
    .addHelpText('after', EXAMPLE)
    .action((url: string, { yes }: { yes?: true }) => migrateStore(url, yes, session))
}

const EXAMPLE = `
A password in the address can be seen by others on this machine while the
command runs: the Unix socket needs none, and PGPASSWORD or ~/.pgpass hide it.

Example:
  createuser fiskd; createdb --owner fiskd fiskd
  systemctl stop fiskd
  fisk migrate-store 'postgres://fiskd@/fiskd?host=/run/postgresql'`

async function migrateStore(url: string, yes: true | undefined, session: Session): Promise<void> {
  await consent(session, yes, 'Move the database of this server to PostgreSQL, for good?')
  const { io } = session
  const env = { ...io.env, FISKD_ROLE: 'server', FISKD_DATABASE_URL: url }
  const ended = await runFiskd({ ...io, env }, ['--migrate-store'])
  const otherwise = { said: 'nothing was moved', param: 'url' }
  await session.show(await doneAs(StoreMovedSchema, ended, '--migrate-store', otherwise), movedText)
}

function movedText({ from, to, invoices, rows }: StoreMoved): string {
  const all = Object.values(rows ?? {}).reduce((sum, count) => sum + count, 0)
  const facts = fields([
    ['from', clean(from)],
    ['to', clean(to)],
    ['sales', rows === null ? 'moved before' : String(invoices)],
    ['rows', rows === null ? 'moved before' : `${all}, each read back and found the same`],
  ])
  return `${facts}
${paragraph('', NEXT)}
  FISKD_ROLE=server
  FISKD_DATABASE_URL=the address you gave here

then: systemctl start fiskd, fisk doctor
`
}

const NEXT =
  'Nothing can be sold before /etc/fiskd/fiskd.env says where the database is now. Keep vault.key: the keys of the ' +
  'certificates open only with it. Put into /etc/fiskd/fiskd.env:'

import { closeSync, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Restored, RestoredSchema } from '../../../contract/reports/restored.ts'
import type { Command, Flags, Given } from '../../command.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { openInput, requireReadable } from '../../files.ts'
import type { Io } from '../../io.ts'
import { dataOwner, doneAs, type Ended, runFiskd } from '../../machine/fiskd-program.ts'
import { several } from '../../options.ts'
import { during } from '../../progress.ts'
import type { Session } from '../../session.ts'
import { clean, fields, paragraph } from '../../text/columns.ts'
import { localTime } from '../../text/times.ts'

interface Options extends Given<'gap'>, Flags<'askServer' | 'forgetKeys' | 'keepLinks' | 'moved' | 'yes'> {
  highest?: string[]
}

export function register(program: Command, session: Session): void {
  program
    .command('restore')
    .description(
      'Put a backup in the place of the database; fiskd must be stopped. Sales made after the backup took receipt ' +
        'numbers that it does not know: say how far they went, or leave a gap, so that none is given out twice. ' +
        'The database that is there is set aside, not deleted. On PostgreSQL restore a dump with pg_restore first.',
    )
    .argument('[file]', 'the backup; none on PostgreSQL')
    .option('--highest <premises=number>', 'highest number known elsewhere; once for each premises', several)
    .option('--gap <count>', 'skip so many numbers wherever none is stated')
    .option('--ask-server', 'take the numbers that the central server of the backup has seen')
    .option('--forget-keys', 'without the vault key of the backup: every certificate has to be uploaded again')
    .option('--keep-links', 'go on with the links to receipts, although nobody knows which ones were withdrawn')
    .option(
      '--moved',
      'of a dump that was made after every fiskd had stopped, never to be started on the original again',
    )
    .addOption(yesOption())
    .addHelpText('after', EXAMPLE)
    .action((file: string | undefined, options: Options) => restore(file, options, session))
}

const EXAMPLE = `
The premises is OIB/PREMISES, OIB/PREMISES/REGISTER or PREMISES@YEAR where it
could mean several; test/ or live/ before it means the numbers of one mode.

Example:
  systemctl stop fiskd
  fisk restore fiskd-2026-07-21.db --highest POSL1=1234
  fisk restore fiskd-2026-07-21.db --gap 1000 --yes
  fisk restore fiskd-2026-07-21.db --ask-server --yes
  systemctl start fiskd`

async function restore(
  file: string | undefined,
  { highest = [], gap, askServer, forgetKeys, keepLinks, moved, yes }: Options,
  session: Session,
): Promise<void> {
  requireSomebody(session, yes)
  if (file !== undefined) await requireReadable('file', file)
  const what =
    file === undefined
      ? `Sell on the dump that was restored?${moved ? ' The database it was made of must not be started again.' : ''}`
      : `Put ${clean(file)} in the place of the database of this gateway?`
  await consent(session, yes, what)
  const args = ['--restore', ...highest.flatMap((one) => ['--highest', one])]
  if (gap !== undefined) args.push('--gap', gap)
  if (askServer) args.push('--ask-server')
  if (forgetKeys) args.push('--forget-keys')
  if (keepLinks) args.push('--keep-links')
  if (moved) args.push('--moved')
  const restoring = file === undefined ? runFiskd(session.io, args) : runOn(resolve(file), args, session.io)
  const ended = await during(session, 'Restoring the database', restoring)
  const otherwise = { said: 'nothing was restored', param: 'restore' }
  await session.show(await doneAs(RestoredSchema, ended, '--restore', otherwise), (restored) =>
    restoredText(restored, moved),
  )
}

/** A file that only root may read is opened here: the daemon's program runs as the account that owns the data. */
async function runOn(file: string, args: string[], io: Io): Promise<Ended> {
  if (dataOwner(io.env) === null) return runFiskd(io, [...args, '--', file])
  const log = `${file}-wal`
  const opened = [file, ...(existsSync(log) ? [log] : [])].map((path) => openInput('file', path))
  try {
    const numbers = opened.map((_, index) => 3 + index).join(',')
    return await runFiskd(io, [...args, '--descriptors', numbers, '--', file], opened)
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

function restoredText(restored: Restored, moved = false): string {
  const { file, replaced, sequences, lost, unreadable, of_gateways: held, server } = restored
  const { certificates_out_of_use: forgotten } = restored
  const facts = fields([
    ['database', clean(restored.database)],
    ['from', file === null ? 'a dump' : clean(file)],
    ['SHA-256', restored.sha256],
    ['sales', String(restored.invoices)],
    ['newest sale', localTime(restored.newest_invoice_at) ?? 'none'],
    [
      'of gateways',
      held?.invoices
        ? `${held.invoices} sales of ${held.gateways} gateways, the newest ${localTime(held.newest_invoice_at)}`
        : null,
    ],
    ['set aside', file === null ? null : replaced === null ? 'there was no database' : clean(replaced)],
  ])
  const numbers = sequences.map(({ company, mode, premises_code, register, year, highest, from, to, why }) => {
    const sequence = `${company}/${premises_code}${register === '' ? '' : `/${register}`} ${mode} ${year}: `
    const kept = from === null ? `goes on after ${highest}` : `${from} to ${to} are never given out (${why})`
    return paragraph('  ', sequence + kept)
  })
  const notes = [
    ...(lost === null || lost.invoices === 0 ? [] : [lostText(lost)]),
    ...unreadable.map((path) => `${clean(path)} could not be read to its end: it may know higher numbers.`),
    ...(server ? [serverText(server)] : []),
    ...(moved ? [] : [ADDED]),
    ...(forgotten === 0 ? [] : [`${forgotten} certificates are out of use: upload them again.`]),
    ...(moved ? [] : [LATER]),
  ]
  return `${facts}
${numbers.length === 0 ? '' : `Receipt numbers:\n${numbers.join('')}\n`}${notes.map((note) => paragraph('', note)).join('')}
Next: systemctl start fiskd, then fisk doctor
`
}

const lostText = ({ invoices, without_jir }: NonNullable<Restored['lost']>) =>
  `${invoices} sales of the database that was here are not in the backup; ${without_jir} of them have no JIR and will ` +
  'never be sent by this gateway.'

const serverText = ({ url, sequences, reported_at, waiting }: NonNullable<Restored['server']>) =>
  `${clean(url)} has seen numbers of ${sequences} sequences. ` +
  (reported_at === null
    ? 'This gateway never told it how much waits. '
    : `It last heard from this gateway at ${localTime(reported_at)}, when ${waiting} changes waited. `) +
  'What was sold while it was not reached it does not know: if that may be, restore again with --gap as well.'

const ADDED = 'A premises that was added after the backup starts at 1 again unless stated: --highest OIB/PREMISES=N.'

const LATER =
  'Companies, devices, keys and users are as they were at the time of the backup: revoke again what was revoked since.'

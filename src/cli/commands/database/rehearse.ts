import { resolve } from 'node:path'
import { type Rehearsal, RehearsalSchema } from '../../../contract/reports/one-off.ts'
import type { Command } from '../../command.ts'
import { broken, wrongUse } from '../../failure.ts'
import { reportAs, runFiskd, whyEnded } from '../../machine/fiskd-program.ts'
import { during } from '../../progress.ts'
import type { Session } from '../../session.ts'
import { fields, paragraph } from '../../text/columns.ts'

export function register(program: Command, session: Session): void {
  program
    .command('rehearse')
    .description(
      'Try this version of fiskd on a copy of the database, as each upgrade of the package does before it restarts the ' +
        'daemon. Sales go on meanwhile, and the database is only read. Exit code 1 when it would not do.',
    )
    .option('--keep <file>', 'keep the copy as it was before the trial, as a backup')
    .examples('fisk rehearse', 'fisk rehearse --keep /var/backups/fiskd/before.db')
    .action((options: { keep?: string }) => rehearse(options, session))
}

async function rehearse({ keep }: { keep?: string }, session: Session): Promise<void> {
  const rehearsing = runFiskd(session.io, ['--rehearse', ...(keep ? ['--keep', resolve(keep)] : [])])
  const { code, said, stderr } = await during(session, 'Rehearsing on a copy of the database', rehearsing)
  const why = whyEnded({ code, stderr }, '--rehearse')
  if (code === 2) throw wrongUse('keep', why)
  if (said === undefined) {
    throw broken('internal_error', `fiskd --rehearse said nothing: ${why}`, 'Look for room on the disk.')
  }
  await session.show(await reportAs(RehearsalSchema, said, '--rehearse'), rehearsalText, ({ ok }) => ok)
}

function rehearsalText(rehearsal: Rehearsal): string {
  const { ok, version, from_schema, to_schema, migrates, invoices, kept, database, problems, not_rehearsed } = rehearsal
  if (not_rehearsed !== null) return paragraph('', `Nothing was rehearsed for fiskd ${version}: ${not_rehearsed}.`)
  const verdict = ok
    ? `fiskd ${version} can go on with this database.`
    : `fiskd ${version} CANNOT go on with this database.`
  const facts = fields([
    ['database', database ?? 'none'],
    ['sales', String(invoices)],
    ['schema', migrates ? `${from_schema} becomes ${to_schema}` : to_schema],
    ['backup', kept],
  ])
  return `${verdict}\n\n${facts}${problems.map((problem) => paragraph('  - ', problem)).join('')}`
}

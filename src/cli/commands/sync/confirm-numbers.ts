import type { Command } from 'commander'
import { type DoubtfulNumberView, SyncSchema } from '../../../contract/admin/sync.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { clash } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { paragraph } from '../../text/columns.ts'
import { doubtfulText } from '../../text/sync-text.ts'

export function register(sync: Command, session: Session): void {
  sync
    .command('confirm-numbers')
    .description(
      'Show the receipt numbers that the central server tells and that are not believed, and believe them: sales go on ' +
        'above them. This cannot be taken back.',
    )
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk sync confirm-numbers')
    .action(({ yes }: { yes?: true }) => confirm(yes, session))
}

async function confirm(yes: true | undefined, session: Session): Promise<void> {
  requireSomebody(session, yes)
  const client = await session.client()
  const { sync, doubtful_numbers: doubtful } = await client.get('/admin/sync', SyncSchema)
  if (sync === null) throw clash('gateway', 'This gateway has no central server.')
  if (!session.wantsJson()) session.io.stdout.write(doubtfulText(doubtful))
  if (doubtful.length > 0) await consent(session, yes, 'Were they given out, and are sales to go on above them?')
  const confirmed = doubtful.length === 0 ? [] : await believe()
  await session.show({ confirmed }, () =>
    paragraph('', confirmed.length === 0 ? 'There is nothing to confirm.' : 'Confirmed: sales go on above them.'),
  )

  async function believe(): Promise<DoubtfulNumberView[]> {
    const numbers = doubtful.map(({ company_id, mode, premises_code, year, register: mark, highest }) => ({
      company_id,
      mode,
      premises_code,
      year,
      register: mark,
      highest,
    }))
    await client.post('/admin/sync/confirm-numbers', SyncSchema, { numbers })
    return doubtful
  }
}

import { type Prepared, PreparedSchema } from '../../contract/reports/one-off.ts'
import { broken } from '../failure.ts'
import type { Io } from '../io.ts'
import { reportAs, runFiskd } from '../machine/fiskd-program.ts'
import { fields, paragraph } from '../text/columns.ts'
import type { Screen } from '../text/screen.ts'

/** Has the daemon make its data directory, database, vault key, local CA and tenant, as its first start would. */
export async function prepare(io: Io): Promise<Prepared> {
  const { code, said, stderr } = await runFiskd(io, ['--prepare'])
  if (code === 0 && said !== undefined) return reportAs(PreparedSchema, said, '--prepare')
  throw broken(
    'internal_error',
    `fiskd --prepare did not succeed: ${stderr.trim().split('\n').slice(-5).join('\n') || `exit code ${code}`}`,
    'Correct what it names and run fisk init again.',
  )
}

export function preparedText({ created, ...prepared }: Prepared, screen: Screen): string {
  const made = created.length > 0 ? `Made: ${created.join(', ')}.` : 'Everything was there already.'
  const paths = fields(
    [
      ['data directory', prepared.data_dir],
      ['database', prepared.database],
      ['vault key', prepared.vault_key],
      ['CA for firmware', prepared.tls_ca],
    ],
    screen,
  )
  const keep = 'Keep a copy of the vault key apart from the database: without it no certificate can be opened again.'
  const next = 'start the daemon with fiskd (or: systemctl start fiskd) and run fisk init again.'
  return `${paragraph('', made, screen)}\n${paths}${paragraph('', keep, screen)}\n${paragraph('Next: ', next, screen)}`
}

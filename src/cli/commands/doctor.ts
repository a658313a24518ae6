import type { Command } from 'commander'
import type { Diagnosis } from '../answers.ts'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { type Check, failure } from '../host/check.ts'
import { examineHost } from '../host/examine.ts'
import { wantsColour } from '../io.ts'
import type { Session } from '../session.ts'
import { columns, paragraph } from '../text.ts'

/** Half a million sales take minutes on a small machine, and nothing is heard meanwhile. */
const SILENCE_MS = 30 * 60_000

const UNSEEN =
  'Sales, certificates, printers and the way to the tax authority could not be looked at: the daemon does not answer.'

export function register(program: Command, session: Session): void {
  program
    .command('doctor')
    .description(
      'Examine this machine, the installation and what fiskd keeps: the service, its configuration, the disk, that no ' +
        'sale was changed or removed, printers, certificates, the way to the tax authority. Sales go on meanwhile. ' +
        'With sudo it sees the most. Exit code 1 when something is broken.',
    )
    .addHelpText('after', '\nExample:\n  fisk doctor\n  fisk doctor --json')
    .action(() => doctor(session))
}

async function doctor(session: Session): Promise<void> {
  const { diagnosis, isRunning } = await diagnose(session)
  await session.show(diagnosis, (found) => diagnosisText(found, isRunning, wantsColour(session.io)))
  if (!diagnosis.ok) session.exitCode = 1
}

/** Looks at the machine and, where the daemon runs, has it look at the rest. */
export async function diagnose(session: Session): Promise<{ diagnosis: Diagnosis; isRunning: boolean }> {
  const client = await session.client()
  const { checks: host, isRunning } = await examineHost(session.io, client, session.socketPath())
  const checks = isRunning ? [...host, ...(await askDaemon(client))] : host
  return { diagnosis: { ok: checks.every(({ status }) => status !== 'fail'), checks }, isRunning }
}

/** What the daemon finds; one without a database says why it has none. */
async function askDaemon(client: Client): Promise<Check[]> {
  try {
    return (await client.get<Diagnosis>('/admin/doctor', { silenceMs: SILENCE_MS })).checks
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [failure('examination', error.body.error.message, error.fix ?? 'look at the log: journalctl -u fiskd')]
  }
}

/** Names of companies stand in names of checks, and are as long as they like: what is longer gets a line of its own. */
const WIDEST_NAME = 28

const COLOURS = { ok: 32, warn: 33, fail: 31, skip: 36 }

/**
 * Everything that was found, as a table of 80 columns with its verdict.
 * @param isRunning the daemon has told its part
 */
function diagnosisText({ ok, checks }: Diagnosis, isRunning: boolean, colour = false): string {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...checks.map(({ name }) => columns(name))))
  const rows = checks.map(({ name, status, detail, fix }) => {
    const lead = `${status.padEnd(4)}  `
    const beside = `${lead}${name}${' '.repeat(Math.max(0, width - columns(name)))}  `
    const below = ' '.repeat(columns(lead) + width + 2)
    const isWide = columns(name) > width
    const found = isWide ? paragraph(lead, name) + paragraph(below, detail) : paragraph(beside, detail)
    const todo = fix === null ? '' : paragraph(`${below}Fix: `, fix)
    return (colour ? found.replace(status, `\u001b[${COLOURS[status]}m${status}\u001b[0m`) : found) + todo
  })
  const rest = isRunning ? '' : paragraph('', UNSEEN)
  return `${rows.join('')}\n${verdict(ok, checks)}\n${rest}`
}

function verdict(ok: boolean, checks: readonly Check[]): string {
  const some = (wanted: Check['status']) => checks.some(({ status }) => status === wanted)
  if (!ok) return 'Something is broken.'
  if (some('warn')) return 'Nothing is broken; see the warnings.'
  return some('skip') ? 'Nothing is broken; not everything could be looked at.' : 'All is well.'
}

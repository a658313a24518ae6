import { DiagnosisSchema, type DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { type Check, failure } from '../../domain/check.ts'
import type { Command } from '../command.ts'
import type { Client } from '../daemon/client.ts'
import { Failure } from '../failure.ts'
import { diagnoseHost } from '../host/host-diagnosis.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { checksText } from '../text/check-text.ts'
import { paragraph } from '../text/columns.ts'
import { inOwnWords, LANGUAGES, type Language, loadWords } from '../words/translate.ts'

/** Half a million sales take minutes on a small machine, and nothing is heard meanwhile. */
const SILENCE_MS = 30 * 60_000

const VERDICTS = {
  broken: 'Errors were found.',
  warned: 'No errors were found; see the warnings.',
  skipped: 'No errors were found, but not everything could be checked.',
  well: 'Everything is fine.',
}

const UNSEEN =
  'Sales, certificates, printers and the connection to the tax authority could not be checked: fiskd does not answer.'

export function register(program: Command, session: Session): void {
  program
    .command('doctor')
    .description(
      'Examine this machine, the installation and what fiskd keeps: the service, its configuration, the disk, that no ' +
        'sale was changed or removed, printers, certificates, the way to the tax authority. Sales go on meanwhile. ' +
        'With sudo it sees the most. Exit code 1 when something is broken.',
    )
    .choice('--lang <language>', 'of what is said, instead of FISKD_LANGUAGE and LANG', LANGUAGES)
    .option('--before-live', 'name also what people have to do before the first live sale (docs/before-live.md)')
    .examples('fisk doctor', 'fisk doctor --json', 'fisk doctor --before-live')
    .action((options: Options) => doctor(session, options))
}

interface Options {
  lang?: Language
  beforeLive?: true
}

async function doctor(
  session: Session,
  { lang: language = session.screen.language, beforeLive }: Options,
): Promise<void> {
  await loadWords(language)
  const { diagnosis, isRunning } = await during(session, 'Examining', diagnose(session))
  if (beforeLive) diagnosis.checks.push(...(await import('../before-live.ts')).BEFORE_LIVE)
  await session.show(diagnosis, ({ ok, checks }, screen) => {
    const said = { ...screen, language }
    const rest = isRunning ? '' : paragraph('', UNSEEN, said)
    return `${checksText(checks, said)}\n${paragraph('', VERDICTS[verdict(ok, checks)], said)}${rest}`
  })
  if (!diagnosis.ok) session.exitCode = 1
}

/** `isRunning`: the daemon has told its part. */
export async function diagnose(session: Session): Promise<{ diagnosis: DiagnosisView; isRunning: boolean }> {
  // What is found is said in both.
  await loadWords('hr')
  const client = await session.client()
  const { checks: host, isRunning } = await diagnoseHost(session.io, client, session.socketPath())
  const checks = isRunning ? [...host, ...(await askDaemon(client))] : host
  return { diagnosis: { ok: checks.every(({ status }) => status !== 'fail'), checks }, isRunning }
}

const EXAMINATION = { en: 'examination', hr: 'provjera' }
const LOG = { en: 'look at the log: journalctl -u fiskd', hr: 'pogledajte zapisnik: journalctl -u fiskd' }

async function askDaemon(client: Client): Promise<DiagnosisView['checks']> {
  try {
    return (await client.get('/admin/doctor', DiagnosisSchema, { silenceMs: SILENCE_MS })).checks
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [
      failure(EXAMINATION, inOwnWords(error.body.error.message), error.fix === null ? LOG : inOwnWords(error.fix)),
    ]
  }
}

function verdict(ok: boolean, checks: readonly Pick<Check, 'status'>[]): keyof typeof VERDICTS {
  const some = (wanted: Check['status']) => checks.some(({ status }) => status === wanted)
  if (!ok) return 'broken'
  if (some('warn')) return 'warned'
  return some('skip') ? 'skipped' : 'well'
}

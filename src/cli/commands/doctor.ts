import type { Command } from 'commander'
import type { Diagnosis } from '../answers.ts'
import type { Session } from '../session.ts'
import { columns, paragraph } from '../text.ts'

/** Half a million sales take minutes on a small machine, and nothing is heard meanwhile. */
const SILENCE_MS = 30 * 60_000

export function register(program: Command, session: Session): void {
  program
    .command('doctor')
    .description(
      'Examine this gateway: the database file, that no sale was changed or removed, that no number is missing, ' +
        'disk and clock. Sales go on meanwhile. Exit code 1 when something is broken.',
    )
    .addHelpText('after', '\nExample:\n  fisk doctor\n  fisk doctor --json')
    .action(() => doctor(session))
}

async function doctor(session: Session): Promise<void> {
  const client = await session.client()
  const diagnosis = await client.get<Diagnosis>('/admin/doctor', { silenceMs: SILENCE_MS })
  await session.show(diagnosis, diagnosisText)
  if (!diagnosis.ok) session.exitCode = 1
}

function diagnosisText({ ok, checks }: Diagnosis): string {
  const width = Math.max(0, ...checks.map(({ name }) => columns(name)))
  const rows = checks.map(({ name, status, detail, fix }) => {
    const head = `${status.padEnd(4)}  ${name}${' '.repeat(width - columns(name))}  `
    return paragraph(head, detail) + (fix === null ? '' : paragraph(`${' '.repeat(columns(head))}Fix: `, fix))
  })
  const warned = checks.some(({ status }) => status === 'warn')
  const verdict = !ok ? 'Something is broken.' : warned ? 'Nothing is broken; see the warnings.' : 'All is well.'
  return `${rows.join('')}\n${verdict}\n`
}

import { resolve } from 'node:path'
import { StatusSchema } from '../../contract/admin/status.ts'
import { companyIdOf } from '../../domain/company-id.ts'
import type { Command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { refuseExisting, writeOutput } from '../output-file.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { archive, type Entry } from '../support/archive.ts'
import { collectFromDaemon } from '../support/daemon-parts.ts'
import { collectFromMachine } from '../support/machine-parts.ts'
import { createMasker } from '../support/masker.ts'
import { createCollect } from '../support/parts.ts'
import { readme } from '../support/readme.ts'
import { checksText } from '../text/check-text.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import { PLAIN_SCREEN } from '../text/screen.ts'
import { statusText } from '../text/status-text.ts'
import { diagnose } from './doctor.ts'

export function register(program: Command, session: Session): void {
  program
    .command('support-bundle')
    .description(
      'Pack what the makers of fiskd need to help: examination, status, versions, log, configuration and lists. ' +
        'Secrets, OIBs and names are masked. It works when the daemon does not. With sudo it holds the most.',
    )
    .argument('[file]', 'where to; - for the standard output (default: fiskd-support-DATE.tar.gz)')
    .option('--force', 'replace the file if there is one')
    .examples('sudo fisk support-bundle', 'sudo fisk support-bundle - > kiosk-7.tar.gz')
    .action((file: string | undefined, options: { force?: true }) => pack(file, options.force === true, session))
}

async function pack(named: string | undefined, force: boolean, session: Session): Promise<void> {
  const now = new Date()
  const file = named ?? `fiskd-support-${now.toISOString().slice(0, 19).replaceAll(':', '')}.tar.gz`
  const toStdout = file === '-'
  if (toStdout && session.wantsJson()) throw wrongUse('file', 'Standard output cannot take the bundle and its JSON.')
  if (!toStdout) refuseExisting(file, force)
  const { entries, missing } = await during(session, 'Collecting what the support needs', gather(session))
  const bytes = archive(entries, now.getTime())
  const made = { file: toStdout ? file : resolve(file), bytes: bytes.length, files: entries.length, missing }
  if (toStdout) {
    await new Promise((done) => session.io.stdout.write(bytes, done))
    session.io.stderr.write(madeText(made))
    return
  }
  await writeOutput(file, { force, what: 'bundle' }, (handle) => handle.writeFile(bytes))
  await session.show(made, madeText)
}

/** All of it, masked. Names are learnt before anything is masked. */
async function gather(session: Session): Promise<{ entries: Entry[]; missing: string[] }> {
  const masker = createMasker()
  const { env } = session.io
  for (const user of [env.SUDO_USER, env.USER, env.LOGNAME])
    if (!/^(root|fiskd)?$/.test(user ?? '')) masker.know('USER', user)
  const collect = createCollect()
  const client = await session.client()
  await collect.text('doctor.json', async () => {
    return `${JSON.stringify((await diagnose(session)).diagnosis, null, 2)}\n`
  })
  await collect.text('status.json', async () => {
    const status = await client.get('/admin/status', StatusSchema)
    // It has the companies of every tenant.
    for (const { name, oib } of status.companies) {
      masker.know('OIB', oib)
      masker.know('COMPANY', name)
      masker.know('COMPANY-ID', companyIdOf(oib))
    }
    return `${JSON.stringify(status, null, 2)}\n`
  })
  await collectFromDaemon(client, collect, masker)
  await collectFromMachine(session.io, collect)
  const bare = collect.entries.map(({ name, text }) => ({ name, text: masker.mask(text) }))
  const masked = [...bare, ...bare.flatMap(asScreen)]
  const missing = collect.missing.map(masker.mask)
  const names = masked.map(({ name }) => name).sort()
  const all = [{ name: 'README.txt', text: readme(names, missing) }, ...masked]
  return { entries: all.map(({ name, text }) => ({ name: `fiskd-support/${name}`, text })), missing }
}

/** As a terminal shows it. It is masked before: a name that is shortened or broken into lines is not found any more. */
function asScreen({ name, text }: Entry): Entry[] {
  if (name === 'doctor.json') return [{ name: 'doctor.txt', text: checksText(JSON.parse(text).checks, PLAIN_SCREEN) }]
  if (name === 'status.json') return [{ name: 'status.txt', text: statusText(JSON.parse(text), PLAIN_SCREEN) }]
  return []
}

function madeText(made: { file: string; bytes: number; files: number; missing: string[] }): string {
  const facts = fields([
    ['bundle', made.file === '-' ? 'standard output' : clean(made.file)],
    ['size', `${(made.bytes / 1024).toFixed(0)} kB`],
    ['files', String(made.files)],
  ])
  const missing = made.missing.map((what) => paragraph('not in it: ', what)).join('')
  return `${facts}${missing}\nLook into it before you send it.\n`
}

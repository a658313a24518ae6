import { existsSync, rmSync } from 'node:fs'
import { type ImagePrepared, ImagePreparedSchema } from '../../../contract/reports/one-off.ts'
import type { Command } from '../../command.ts'
import { consent, yesOption } from '../../consent.ts'
import { systemPaths } from '../../io.ts'
import { daemonEnvironment, doneAs, runFiskd } from '../../machine/fiskd-program.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'

export function register(program: Command, session: Session): void {
  program
    .command('prepare-image')
    .description(
      'Make this installation a golden image, whose card is copied for other machines; fiskd must be stopped. Removes ' +
        'what belongs to one machine: the database with keys, users and enrolment, the vault key, the local CA. Keeps ' +
        'the package, /etc/fiskd and the trust bundles. Says what it will remove and asks.\nExit code 1: fiskd runs, or ' +
        'there are live sales, sales without a JIR, or sales that the central server does not have.',
    )
    .addOption(yesOption())
    .examples('systemctl stop fiskd', 'fisk prepare-image', 'poweroff')
    .action(({ yes }: { yes?: true }) => prepareImage(yes, session))
}

async function prepareImage(yes: true | undefined, session: Session): Promise<void> {
  const { sealedVaultKey } = systemPaths(session.io)
  const planned = await run([], session)
  if (!session.wantsJson()) session.print(planText(planned, sealedVaultKey))
  await consent(session, yes, 'Remove all of this?')
  const done = await run(['--remove'], session)
  // It opens on this machine only.
  rmSync(sealedVaultKey, { force: true })
  await session.show(done, () => paragraph('', nextText(session)))
}

async function run(more: string[], session: Session): Promise<ImagePrepared> {
  const ended = await runFiskd(session.io, ['--prepare-image', ...more])
  return doneAs(ImagePreparedSchema, ended, '--prepare-image', { said: 'nothing was removed' })
}

function planText({ data_dir: folder, removed, kept }: ImagePrepared, sealedVaultKey: string): string {
  const sealed = existsSync(sealedVaultKey) ? [sealedVaultKey] : []
  const lines = [...removed.map((name) => `${folder}/${name}`), ...sealed].map((path) => paragraph('  ', clean(path)))
  const stays = paragraph('Stays: ', `/etc/fiskd${kept.map((name) => `, ${clean(`${folder}/${name}`)}`).join('')}`)
  return `This goes:\n${lines.join('') || '  nothing, it is gone already\n'}${stays}`
}

function nextText({ io }: Session): string {
  const given = daemonEnvironment(io.env).FISKD_MACHINE_ID ? 'Remove FISKD_MACHINE_ID: every copy would have it. ' : ''
  return (
    `Done. ${given}Empty /etc/machine-id (truncate -s 0 /etc/machine-id), remove copies in /var/backups/fiskd, switch ` +
    'this machine off, and copy its card. Do not start it before: the first start makes keys and a database.'
  )
}

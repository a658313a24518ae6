import type { Archive } from './archive.ts'
import { must, type Outcome, type Root } from './root.ts'

/** What docs/technician.md tells administrators to put where, so that the archive is followed, by unattended-upgrades as well. */
export async function follow({ write, sh }: Root, archive: Archive): Promise<void> {
  // Debian's own lists are long, and all that the package needs is here.
  await write('etc/apt/sources.list', '')
  await write('etc/apt/keyrings/fiskd-archive-keyring.gpg', archive.read('fiskd-archive-keyring.gpg'))
  await write('etc/apt/sources.list.d/fiskd.sources', archive.read('fiskd.sources'))
  await write(
    'etc/apt/apt.conf.d/52fiskd-unattended-upgrades',
    'Unattended-Upgrade::Origins-Pattern { "origin=fiskd"; };\n',
  )
  // The trial says when: two at a time would wait for each other.
  must(await sh('systemctl stop apt-daily.timer apt-daily-upgrade.timer'))
}

/** apt and what acts for an administrator, with nobody to answer a question. */
export const update = ({ sh }: Root): Promise<Outcome> => sh('apt-get update 2>&1')
export const upgrade = ({ sh }: Root): Promise<Outcome> => sh('apt update 2>&1 && apt -y upgrade 2>&1')
export const upgradeUnattended = ({ sh }: Root): Promise<Outcome> =>
  sh('apt-get update 2>&1 && unattended-upgrade -v 2>&1')

/** The version that apt would install. */
export async function candidate({ sh }: Root): Promise<string | undefined> {
  return /^ {2}Candidate: (.+)$/m.exec((await sh('apt-cache policy fiskd')).stdout)?.[1]
}

/** A setting of this machine's own, which no upgrade may change or ask about. */
const SETTING = 'FISKD_LOG_LEVEL=debug\n'

const FILE = 'etc/fiskd/fiskd.env'

export async function configure({ sh }: Root): Promise<void> {
  // Its owner and mode stay. An editor writes it to the disk, too.
  must(await sh(`printf '${SETTING.replace('\n', '\\n')}' >> /${FILE} && sync /${FILE}`))
}

export const isConfigured = async ({ read }: Root): Promise<boolean> => (await read(FILE)).endsWith(SETTING)

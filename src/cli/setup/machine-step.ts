import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { StatusSchema } from '../../contract/admin/status.ts'
import { environmentFilePath, type Variables, variablesIn } from '../machine/environment-file.ts'
import { serviceEnvironment } from '../machine/fiskd-program.ts'
import type { Prompter } from '../prompts.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import { configure } from './configure.ts'
import { EVERYWHERE, type LanAddress, LOOPBACK_ONLY, lanAddresses, listenVariable } from './listen-addresses.ts'
import type { Groundwork, Role } from './setup.ts'

/** What this machine is, by a flag or the answer of a person. What stands in the file is not asked. */
export async function roleQuestion({ session, options, prompter }: Groundwork): Promise<void> {
  const path = environmentFilePath(session.io.env)
  // Without the file nothing that is answered could be kept.
  if (options.role || !prompter || !existsSync(path) || variablesIn(path).FISKD_ROLE !== undefined) return
  const own = session.io.lanAddresses ?? lanAddresses()
  const isOpen = options.listen === undefined && variablesIn(path).FISKD_LISTEN === undefined && own.length > 0
  const answer = await askRole(prompter, isOpen)
  options.role = answer === 'server' ? 'server' : 'gateway'
  if (isOpen && answer === 'gateway') options.listen = ['loopback']
}

/** What this machine is and who reaches it: `FISKD_ROLE` and `FISKD_LISTEN`. What stands in the file is not asked. */
export async function machineStep({ session, options, prompter, steps }: Groundwork): Promise<void> {
  const { io } = session
  const path = environmentFilePath(io.env)
  const known = variablesIn(path)
  // Without the file nothing that is answered could be kept.
  const asker = existsSync(path) ? prompter : null
  // One that a person has started has its variables from another terminal.
  const before = (existsSync(path) ? null : await runningConfiguration(session)) ?? serviceEnvironment(io.env)
  const own = io.lanAddresses ?? lanAddresses()

  const { role } = options
  const wanted =
    options.listen ?? (asker && known.FISKD_LISTEN === undefined ? await askListen(session, asker, own) : undefined)
  const listen = wanted && listenVariable(wanted, before.FISKD_LISTEN ?? '', own)
  const changes = {
    ...(role !== undefined && role !== known.FISKD_ROLE && { FISKD_ROLE: role }),
    ...(listen !== undefined && listen !== known.FISKD_LISTEN && { FISKD_LISTEN: listen }),
  }
  const roleMatters = role !== undefined && role !== (before.FISKD_ROLE || 'gateway')
  const listenMatters = listen !== undefined && (listen || LOOPBACK_ONLY) !== (before.FISKD_LISTEN || LOOPBACK_ONLY)
  const matters = roleMatters || listenMatters
  // Without the file, what the daemon does anyway needs no setting.
  const left =
    matters || existsSync(path)
      ? await configure(session, changes, { param: listenMatters ? 'listen' : 'role', matters })
      : null
  const note = (step: 'role' | 'listen', isChanged: boolean, detail: string) =>
    isChanged && left !== null
      ? steps.push({ step, state: 'left', detail: left })
      : steps.push({ step, state: isChanged ? 'done' : 'already', detail })
  note('role', roleMatters, (role ?? before.FISKD_ROLE) || 'gateway')
  note('listen', listenMatters, (listen ?? before.FISKD_LISTEN) || 'this machine only')
}

/** How the daemon that answers is configured; null where none does. */
async function runningConfiguration(session: Session): Promise<Variables | null> {
  const status = await (await session.client()).get('/admin/status', StatusSchema).catch(() => null)
  const listen = status?.listen.map(({ address }) => address).join(',') ?? ''
  return status && { FISKD_ROLE: status.role, FISKD_LISTEN: listen === LOOPBACK_ONLY ? '' : listen }
}

/** @param isOpen who reaches a gateway is to be answered, too */
function askRole(prompter: Prompter, isOpen: boolean): Promise<Role | 'network'> {
  const network = { value: 'network' as const, label: 'gateway: firmware on other machines reaches it, too' }
  return prompter.choose<Role | 'network'>('What is this machine?', [
    { value: 'gateway', label: `gateway: in a vending machine${isOpen ? ', whose firmware runs on it' : ''}` },
    ...(isOpen ? [network] : []),
    { value: 'server', label: 'server: at the central office' },
  ])
}

const CHOICE =
  'An address works as long as this machine keeps it: have the router give it the same one each time. While the machine ' +
  'lacks it only firmware on the machine itself sells. 0.0.0.0 is every address that it has now or gets later, in every ' +
  'network that it is attached to; firmware then connects by the name'

async function askListen(session: Session, prompter: Prompter, own: readonly LanAddress[]): Promise<string[]> {
  if (own.length === 0) return ['loopback']
  session.print(
    paragraph(
      '',
      `${CHOICE} ${hostname()}, for the certificate cannot carry addresses that are not known yet.`,
      session.screen,
    ),
  )
  const question = 'Which of its addresses should firmware reach? (none: only this machine)'
  const everywhere = { value: EVERYWHERE[0], label: `${EVERYWHERE[0]} (all of them, also later ones)` }
  const choices = [...own.map(({ address, name }) => ({ value: address, label: `${address} (${name})` })), everywhere]
  const chosen = await prompter.several(question, choices)
  return chosen.length === 0 ? ['loopback'] : chosen
}

import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { broken, type Failure } from '../failure.ts'
import { installationsNear, isInstallation } from '../installations-near.ts'
import { INSTALLED_SOCKET, isFallback } from '../io.ts'

const ELSEWHERE =
  'Is its data elsewhere? Name the folder in FISKD_DATA_DIR; its socket alone with --socket or FISKD_SOCKET.'

/** Why nothing came back from the admin socket, and what to type. */
export function unreachable(socketPath: string, error: NodeJS.ErrnoException): Failure {
  if (error.code === 'EACCES' || error.code === 'EPERM') return notAllowed(socketPath)
  if (error.code === 'ETIMEDOUT' || error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return broken(
      'daemon_unreachable',
      `The daemon on ${socketPath} took the request and gave no answer.`,
      'Ask what is wrong: sudo fisk doctor. To start it again: sudo systemctl restart fiskd',
    )
  }
  if (isDown(error.code)) {
    // Of the package, or of one of several processes.
    const fix = socketPath.startsWith(`${dirname(INSTALLED_SOCKET)}/`)
      ? 'Ask why: sudo fisk doctor'
      : `${startByHand(socketPath)} Ask why it is down: fisk doctor`
    return broken('daemon_unreachable', `No daemon answers on ${resolve(socketPath)}.`, fix)
  }
  return broken('daemon_unreachable', `${socketPath} cannot be used: ${error.message}`, ELSEWHERE)
}

/** What to type where no service runs fiskd; it may run with a variable that this terminal lacks. */
export function startByHand(socketPath: string): string {
  const [near] = isFallback(socketPath, {}) && !isInstallation(dirname(socketPath)) ? installationsNear() : []
  if (near === undefined) return `Start it with: fiskd. ${ELSEWHERE}`
  return `There is data in ${near}: export FISKD_DATA_DIR=${shellWord(near)}; to start it: fiskd.`
}

/** Nothing listens on the socket, or there is none. */
export function isDown(code: string | undefined): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED'
}

function notAllowed(socketPath: string): Failure {
  const { username: user } = userInfo()
  const group = groupOf(socketPath)
  const closed = `${user} may not open the socket of the daemon, ${socketPath}`
  if (group === null) return broken('daemon_unreachable', `${closed}.`, 'Use sudo.')
  const message = `${closed}: only root and the group ${group.name} may.`
  const fix = group.members.includes(user)
    ? `${user} is in the group ${group.name} from the next sign-in on: sign out and in again, or use sudo.`
    : `sudo usermod -aG ${group.name} ${user}, then sign out and in again. Until then use sudo.`
  return broken('daemon_unreachable', message, fix)
}

/** The group that owns the socket; its directory may not even let it be looked at. */
function groupOf(socketPath: string): { name: string; members: string[] } | null {
  const found = [socketPath, dirname(socketPath)].flatMap((path) => attempt(() => statSync(path).gid, []))
  const groups = attempt(() => readFileSync('/etc/group', 'utf8'), '')
  const lines = groups.split('\n').map((line) => line.split(':'))
  const [name, , , members = ''] = lines.find(([, , gid]) => Number(gid) === found[0]) ?? []
  return name === undefined || name === 'root' ? null : { name, members: members.split(',') }
}

import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type Around, ask } from './system.ts'
import type { Unit } from './units.ts'

/** Serial ports belong to the one, printers of the USB class to the other. */
const GROUPS = ['dialout', 'lp']

/** Whether the account of the service is there and may open printers, by its unit or by the user database. */
export async function userCheck(io: Around, { User, SupplementaryGroups }: Unit): Promise<Check> {
  const name = 'user'
  if (User === '' || User === 'root') {
    const fix = 'put User=fiskd under [Service] with: sudo systemctl edit fiskd'
    return warning(name, 'the service runs as root, which can do far more than it needs', fix)
  }
  const account = await ask(io, 'getent', 'passwd', User)
  if (account.code !== 0) {
    const fix = 'sudo systemd-sysusers && sudo systemctl restart fiskd'
    return failure(name, `there is no user ${User}: the service cannot start`, fix)
  }
  const own = (await ask(io, 'id', '-nG', User)).stdout.trim().split(/\s+/)
  const groups = new Set([...own, ...SupplementaryGroups.split(' ')])
  const lacking = GROUPS.filter((group) => !groups.has(group))
  if (lacking.length === 0) return fine(name, `${User} is in the groups ${GROUPS.join(' and ')}`)
  const fix = `sudo usermod -aG ${lacking.join(',')} ${User} && sudo systemctl restart fiskd`
  return warning(name, `${User} is not in ${lacking.join(' and ')}: it may not open printers there`, fix)
}

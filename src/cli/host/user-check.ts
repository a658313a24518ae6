import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import { type Around, ask } from './system.ts'
import type { Unit } from './units.ts'

/** Serial ports belong to the one, printers of the USB class to the other. */
const GROUPS = ['dialout', 'lp']

/** Whether the account of the service is there and may open printers, by its unit or by the user database. */
export async function userCheck(io: Around, { User, SupplementaryGroups }: Unit): Promise<Check> {
  const name = { en: 'user', hr: 'korisnik' }
  if (User === '' || User === 'root') {
    const fix = {
      en: 'put User=fiskd under [Service] with: sudo systemctl edit fiskd',
      hr: 'upišite User=fiskd pod [Service] naredbom: sudo systemctl edit fiskd',
    }
    const detail = {
      en: 'the service runs as root, which can do far more than it needs',
      hr: 'usluga radi kao root, s većim ovlastima nego što treba',
    }
    return warning(name, detail, fix)
  }
  const account = await ask(io, 'getent', 'passwd', User)
  if (account.code !== 0) {
    const fix = alike('sudo systemd-sysusers && sudo systemctl restart fiskd')
    const detail = {
      en: `there is no user ${User}: the service cannot start`,
      hr: `korisnik ${User} ne postoji, pa se usluga ne može pokrenuti`,
    }
    return failure(name, detail, fix)
  }
  const own = (await ask(io, 'id', '-nG', User)).stdout.trim().split(/\s+/)
  const groups = new Set([...own, ...SupplementaryGroups.split(' ')])
  const lacking = GROUPS.filter((group) => !groups.has(group))
  if (lacking.length === 0)
    return fine(name, {
      en: `${User} is in the groups ${GROUPS.join(' and ')}`,
      hr: `${User} je u grupama ${GROUPS.join(' i ')}`,
    })
  const fix = alike(`sudo usermod -aG ${lacking.join(',')} ${User} && sudo systemctl restart fiskd`)
  const detail = {
    en: `${User} is not in ${lacking.join(' and ')}: it may not open printers there`,
    hr: `${User} nije u ${lacking.length > 1 ? 'grupama' : 'grupi'} ${lacking.join(' i ')}, pa ne može otvoriti tamošnje pisače`,
  }
  return warning(name, detail, fix)
}

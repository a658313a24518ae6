import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import { systemPaths } from '../io.ts'
import { type Around, ask, textOf } from './system.ts'
import type { Unit } from './units.ts'

/** Serial ports belong to the one, printers of the USB class to the other. */
const GROUPS = ['dialout', 'lp']

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

/** The programs of Debian that keep the clock, most usual first. */
export const TIME_SERVICES = [
  'systemd-timesyncd.service',
  'chrony.service',
  'ntpsec.service',
  'ntp.service',
  'openntpd.service',
]

/** Whether anything keeps the clock of this machine at all; how right it is, the daemon tells. */
export function timeServiceCheck(units: readonly Unit[]): Check {
  const name = { en: 'time service', hr: 'usklađivanje vremena' }
  const running = units.findIndex(({ ActiveState }) => ActiveState === 'active')
  if (running >= 0) {
    const service = TIME_SERVICES[running]?.replace('.service', '')
    return fine(name, { en: `${service} keeps the clock`, hr: `sat usklađuje ${service}` })
  }
  const isInstalled = units.some(({ LoadState }) => LoadState === 'loaded')
  const fix = alike(
    isInstalled
      ? 'sudo timedatectl set-ntp true'
      : 'sudo apt install systemd-timesyncd && sudo timedatectl set-ntp true',
  )
  const detail = {
    en: 'none runs: nothing corrects the clock when it drifts',
    hr: 'nijedna ne radi: ništa ne ispravlja sat kad postane netočan',
  }
  return warning(name, detail, fix)
}

const MODEM_MANAGER = alike('ModemManager')

/** Whether it would send its questions to serial printers; [] where it does not run. @param lines of the printers */
export function modemManagerCheck(io: Around, modemManager: Unit, lines: readonly string[]): Check[] {
  const paths = lines.flatMap((line) => (line.startsWith('serial:') ? [line.slice('serial:'.length)] : []))
  if (modemManager.ActiveState !== 'active' || paths.length === 0) return []
  const asked = paths.filter((path) => !isIgnored(path, systemPaths(io).run))
  if (asked.length === 0)
    return [fine(MODEM_MANAGER, { en: 'it runs, and leaves the printers alone', hr: 'radi, ali ne dira pisače' })]
  const detail = {
    en: `it runs and may take ${asked.join(', ')} for a modem: receipts get garbled or lost`,
    hr: `radi i može ${asked.join(', ')} smatrati modemom: ispisi računa mogu biti oštećeni ili izgubljeni`,
  }
  const fix = {
    en:
      'without a modem: sudo systemctl disable --now ModemManager; with one: a udev rule with ENV{ID_MM_DEVICE_IGNORE}="1" ' +
      'for the printer',
    hr:
      'ako nema modema: sudo systemctl disable --now ModemManager; ako ga ima: udev pravilo s ' +
      'ENV{ID_MM_DEVICE_IGNORE}="1" za pisač',
  }
  return [warning(MODEM_MANAGER, detail, fix)]
}

/** What udev has noted of a character device, by its number. */
function isIgnored(path: string, run: string): boolean {
  const rdev = attempt(() => statSync(realpathSync(path)).rdev, null)
  if (rdev === null) return false
  const [major, minor] = [(rdev >> 8) & 0xfff, (rdev & 0xff) | ((rdev >> 12) & 0xfff00)]
  return /^E:ID_MM_(DEVICE|PORT)_IGNORE=1$/m.test(textOf(join(run, `udev/data/c${major}:${minor}`)))
}

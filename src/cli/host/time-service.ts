import { type Check, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import type { Unit } from './units.ts'

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

import { type Check, fine, warning } from '../../domain/check.ts'
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
  const name = 'time service'
  const running = units.findIndex(({ ActiveState }) => ActiveState === 'active')
  if (running >= 0) return fine(name, `${TIME_SERVICES[running]?.replace('.service', '')} keeps the clock`)
  const isInstalled = units.some(({ LoadState }) => LoadState === 'loaded')
  const fix = isInstalled
    ? 'sudo timedatectl set-ntp true'
    : 'sudo apt install systemd-timesyncd && sudo timedatectl set-ntp true'
  return warning(name, 'none runs: nothing corrects the clock when it drifts', fix)
}

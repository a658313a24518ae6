import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { forUnit, type Unit } from './units.ts'

/**
 * Whether systemd keeps fiskd running, as the package means it to. None of it is asked of a unit that is not there.
 * @param unit of the service, without `.service`
 */
export function serviceChecks(service: Unit, backupTimer: Unit, unit: string): Check[] {
  if (service.LoadState !== 'loaded' && service.LoadState !== 'masked') return []
  const checks = [bootCheck(service)]
  if (service.LoadState === 'loaded') checks.push(restartCheck(service), hangCheck(service))
  return [...checks.map((check) => ({ ...check, fix: fixOf(check, unit) })), backupCheck(backupTimer)]
}

/** Whether another process of the same server runs, and starts with the machine. */
export function processCheck(service: Unit, unit: string): Check {
  const name = 'process'
  if (service.ActiveState !== 'active') {
    const detail = `${unit} is ${service.ActiveState}: the other processes do its work`
    return warning(name, detail, `see why: journalctl -u ${unit}, then: sudo systemctl start ${unit}`)
  }
  const boot = bootCheck(service)
  if (boot.status === 'ok') return fine(name, `${unit} runs, and starts with the machine`)
  return { ...boot, name, detail: `${unit}: ${boot.detail}`, fix: fixOf(boot, unit) }
}

const fixOf = ({ fix }: Check, unit: string) => fix && forUnit(fix, unit)

const AT_BOOT = new Set(['enabled', 'alias', 'generated'])

function bootCheck({ LoadState, UnitFileState }: Unit): Check {
  const name = 'start at boot'
  if (LoadState === 'masked') {
    const fix = 'sudo systemctl unmask fiskd && sudo systemctl enable --now fiskd'
    return failure(name, 'the service is masked: it cannot start', fix)
  }
  if (AT_BOOT.has(UnitFileState)) return fine(name, 'the service starts with the machine')
  const detail = `the service is ${UnitFileState || 'not enabled'}: after a power cut nothing is sold`
  return failure(name, detail, 'sudo systemctl enable fiskd')
}

/** A value of systemctl(1) that switches something off. */
const isOff = (value: string) => value === '' || value === '0' || value === 'infinity'

function restartCheck(unit: Unit): Check {
  const name = 'restart'
  if (unit.NeedDaemonReload === 'yes') {
    const fix = 'sudo systemctl daemon-reload && sudo systemctl restart fiskd'
    return warning(name, 'the unit on the disk is newer than the one in force', fix)
  }
  if (unit.Restart !== 'always') {
    return warning(name, `Restart=${unit.Restart || 'no'}: it may end and stay so`, settingFix('Restart=always', unit))
  }
  if (!isOff(unit.StartLimitIntervalUSec)) {
    const detail = `after a few bad starts within ${unit.StartLimitIntervalUSec} systemd gives up for good`
    return warning(name, detail, settingFix('StartLimitIntervalSec=0', unit, '[Unit]'))
  }
  return fine(name, 'systemd starts it anew whenever it ends')
}

function hangCheck(unit: Unit): Check {
  const name = 'watchdog of the unit'
  if (!isOff(unit.WatchdogUSec)) return fine(name, `a sign of life is due every ${unit.WatchdogUSec}`)
  return warning(name, 'systemd would not notice if fiskd hung', settingFix('WatchdogSec=60', unit))
}

/** What a drop-in has changed goes back with it. */
function settingFix(setting: string, { DropInPaths }: Unit, section = '[Service]'): string {
  const restart = 'sudo systemctl restart fiskd'
  if (DropInPaths !== '') return `take it out of ${DropInPaths.split(' ').join(' or ')}, then: ${restart}`
  return `put ${setting} under ${section} with: sudo systemctl edit fiskd, then: ${restart}`
}

function backupCheck({ LoadState, UnitFileState, ActiveState }: Unit): Check {
  const name = 'backup timer'
  const missing = 'no backups are made by themselves'
  if (LoadState === 'not-found') {
    return warning(name, `it is not installed: ${missing}`, 'copy the database elsewhere each day: fisk backup FILE')
  }
  const fix = 'sudo systemctl enable --now fiskd-backup.timer'
  if (LoadState === 'masked') return warning(name, `it is masked: ${missing}`, `unmask it, then: ${fix}`)
  if (UnitFileState !== 'enabled') return warning(name, `it is ${UnitFileState}: ${missing}`, fix)
  if (ActiveState !== 'active') return warning(name, `it is ${ActiveState}: ${missing}`, fix)
  return fine(name, 'it is enabled')
}

import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import { forUnit, type Unit } from './units.ts'

/** None of it is asked of a unit that is not there. @param unit of the service, without `.service` */
export function serviceChecks(service: Unit, backupTimer: Unit, unit: string): Check[] {
  if (service.LoadState !== 'loaded' && service.LoadState !== 'masked') return []
  const checks = [bootCheck(service)]
  if (service.LoadState === 'loaded') checks.push(restartCheck(service), hangCheck(service))
  return [...checks.map((check) => ({ ...check, fix: fixOf(check, unit) })), backupCheck(backupTimer)]
}

/** Whether another process of the same server runs, and starts with the machine. */
export function processCheck(service: Unit, unit: string): Check {
  const name = { en: 'process', hr: 'proces' }
  if (service.ActiveState !== 'active') {
    const detail = {
      en: `${unit} is ${service.ActiveState}: the other processes do its work`,
      hr: `${unit}: stanje ${service.ActiveState}; njegov posao obavljaju drugi procesi`,
    }
    return warning(name, detail, {
      en: `see why: journalctl -u ${unit}, then: sudo systemctl start ${unit}`,
      hr: `uzrok pokazuje: journalctl -u ${unit}, a zatim: sudo systemctl start ${unit}`,
    })
  }
  const boot = bootCheck(service)
  if (boot.status === 'ok')
    return fine(name, { en: `${unit} runs, and starts with the machine`, hr: `${unit} radi i pokreće se s računalom` })
  return { ...boot, name, detail: together`${unit}: ${boot.detail}`, fix: fixOf(boot, unit) }
}

const fixOf = ({ fix }: Check, unit: string) => fix && forUnit(fix, unit)

const AT_BOOT = new Set(['enabled', 'alias', 'generated'])

function bootCheck({ LoadState, UnitFileState }: Unit): Check {
  const name = { en: 'start at boot', hr: 'pokretanje s računalom' }
  if (LoadState === 'masked') {
    const fix = alike('sudo systemctl unmask fiskd && sudo systemctl enable --now fiskd')
    const detail = { en: 'the service is masked: it cannot start', hr: 'usluga je maskirana, pa se ne može pokrenuti' }
    return failure(name, detail, fix)
  }
  if (AT_BOOT.has(UnitFileState))
    return fine(name, { en: 'the service starts with the machine', hr: 'usluga se pokreće s računalom' })
  const detail = {
    en: `the service is ${UnitFileState || 'not enabled'}: after a power cut nothing is sold`,
    hr: `usluga se ne pokreće s računalom (${UnitFileState || 'nije uključena'}): nakon nestanka struje prodaja nije moguća`,
  }
  return failure(name, detail, alike('sudo systemctl enable fiskd'))
}

/** A value of systemctl(1) that switches something off. */
const isOff = (value: string) => value === '' || value === '0' || value === 'infinity'

function restartCheck(unit: Unit): Check {
  const name = { en: 'restart', hr: 'ponovno pokretanje' }
  if (unit.NeedDaemonReload === 'yes') {
    const fix = alike('sudo systemctl daemon-reload && sudo systemctl restart fiskd')
    const detail = {
      en: 'the unit on the disk is newer than the one in force',
      hr: 'datoteka usluge na disku novija je od one koja se koristi',
    }
    return warning(name, detail, fix)
  }
  if (unit.Restart !== 'always') {
    const detail = {
      en: `Restart=${unit.Restart || 'no'}: it may end and stay so`,
      hr: `Restart=${unit.Restart || 'no'}: nakon prekida usluga se ne pokreće ponovno`,
    }
    return warning(name, detail, settingFix('Restart=always', unit))
  }
  if (!isOff(unit.StartLimitIntervalUSec)) {
    const detail = {
      en: `after a few bad starts within ${unit.StartLimitIntervalUSec} systemd gives up for good`,
      hr: `nakon nekoliko neuspjelih pokretanja u ${unit.StartLimitIntervalUSec} systemd trajno odustaje`,
    }
    return warning(name, detail, settingFix('StartLimitIntervalSec=0', unit, '[Unit]'))
  }
  return fine(name, {
    en: 'systemd starts it anew whenever it ends',
    hr: 'systemd je ponovno pokreće nakon svakog prekida',
  })
}

function hangCheck(unit: Unit): Check {
  const name = { en: 'watchdog of the unit', hr: 'nadzor usluge' }
  if (!isOff(unit.WatchdogUSec))
    return fine(name, {
      en: `a sign of life is due every ${unit.WatchdogUSec}`,
      hr: `usluga se mora javiti svakih ${unit.WatchdogUSec}`,
    })
  const detail = {
    en: 'systemd would not notice if fiskd hung',
    hr: 'systemd ne bi primijetio da je fiskd prestao odgovarati',
  }
  return warning(name, detail, settingFix('WatchdogSec=60', unit))
}

/** What a drop-in has changed goes back with it. */
function settingFix(setting: string, { DropInPaths }: Unit, section = '[Service]'): Both {
  const restart = 'sudo systemctl restart fiskd'
  if (DropInPaths !== '')
    return {
      en: `take it out of ${DropInPaths.split(' ').join(' or ')}, then: ${restart}`,
      hr: `uklonite to iz ${DropInPaths.split(' ').join(' ili ')}, a zatim: ${restart}`,
    }
  return {
    en: `put ${setting} under ${section} with: sudo systemctl edit fiskd, then: ${restart}`,
    hr: `upišite ${setting} pod ${section} naredbom: sudo systemctl edit fiskd, a zatim: ${restart}`,
  }
}

function backupCheck({ LoadState, UnitFileState, ActiveState }: Unit): Check {
  const name = { en: 'backup timer', hr: 'redovne sigurnosne kopije' }
  const missing = { en: 'no backups are made by themselves', hr: 'sigurnosne kopije ne rade se same' }
  if (LoadState === 'not-found') {
    const detail = { en: `it is not installed: ${missing.en}`, hr: `nije instalirano: ${missing.hr}` }
    return warning(name, detail, {
      en: 'copy the database elsewhere each day: fisk backup FILE',
      hr: 'svakog dana spremite bazu podataka na drugo mjesto: fisk backup FILE',
    })
  }
  const fix = 'sudo systemctl enable --now fiskd-backup.timer'
  if (LoadState === 'masked') {
    const detail = { en: `it is masked: ${missing.en}`, hr: `maskirano je: ${missing.hr}` }
    return warning(name, detail, { en: `unmask it, then: ${fix}`, hr: `uklonite maskiranje, a zatim: ${fix}` })
  }
  const state = UnitFileState === 'enabled' ? ActiveState : UnitFileState
  if (state !== 'active') {
    const detail = { en: `it is ${state}: ${missing.en}`, hr: `stanje ${state}: ${missing.hr}` }
    return warning(name, detail, alike(fix))
  }
  return fine(name, { en: 'it is enabled', hr: 'uključeno je' })
}

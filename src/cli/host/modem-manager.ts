import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import { systemPaths } from '../io.ts'
import { type Around, told } from './system.ts'
import type { Unit } from './units.ts'

const NAME = alike('ModemManager')

/**
 * Whether ModemManager would send its questions to serial printers; [] where it does not run or there are none.
 * @param lines of the printers that are set
 */
export function modemManagerCheck(io: Around, modemManager: Unit, lines: readonly string[]): Check[] {
  const paths = lines.flatMap((line) => (line.startsWith('serial:') ? [line.slice('serial:'.length)] : []))
  if (modemManager.ActiveState !== 'active' || paths.length === 0) return []
  const asked = paths.filter((path) => !isIgnored(path, systemPaths(io).run))
  if (asked.length === 0)
    return [fine(NAME, { en: 'it runs, and leaves the printers alone', hr: 'radi, ali ne dira pisače' })]
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
  return [warning(NAME, detail, fix)]
}

/** What udev has noted of a character device, by its number. */
function isIgnored(path: string, run: string): boolean {
  try {
    const { rdev } = statSync(realpathSync(path))
    const [major, minor] = [(rdev >> 8) & 0xfff, (rdev & 0xff) | ((rdev >> 12) & 0xfff00)]
    return /^E:ID_MM_(DEVICE|PORT)_IGNORE=1$/m.test(told(join(run, `udev/data/c${major}:${minor}`)) ?? '')
  } catch {
    return false
  }
}

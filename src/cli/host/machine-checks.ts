import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, fine, warning } from '../../domain/check.ts'
import { type Around, procOf, sysOf, told } from './system.ts'

/** Whether the machine itself is well. What it does not tell of is left out. */
export function machineChecks(io: Around): Check[] {
  const throttled = throttledBits(sysOf(io))
  return [
    ...memoryCheck(procOf(io)),
    ...powerCheck(throttled),
    ...temperatureCheck(sysOf(io), throttled),
    ...wearChecks(sysOf(io)),
  ]
}

const LOW_MEMORY_MB = 64

function memoryCheck(proc: string): Check[] {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(told(join(proc, 'meminfo')) ?? '')?.[1]
  if (available === undefined) return []
  const megabytes = Math.floor(Number(available) / 1024)
  const detail = `${megabytes} MB are available`
  const fix = 'end what takes most of it: ps aux --sort=-rss | head'
  return [megabytes < LOW_MEMORY_MB ? warning('memory', detail, fix) : fine('memory', detail)]
}

/** Bits of the firmware of a Raspberry Pi (vcgencmd get_throttled): now, and the same 16 higher since it started. */
const UNDER_VOLTAGE = 0x1_0001
const NOW = 0xffff
const SLOWED_DOWN = 0xe_000e

function throttledBits(sys: string): number | undefined {
  const platform = join(sys, 'devices/platform')
  // `soc/soc:firmware`; with an address in both names on a Pi 5.
  for (const soc of namesIn(platform, /^soc/)) {
    for (const firmware of namesIn(join(platform, soc), /:firmware$/)) {
      const text = told(join(platform, soc, firmware, 'get_throttled'))
      if (text !== undefined && /^(0x)?[0-9a-f]+$/i.test(text)) return Number.parseInt(text, 16)
    }
  }
  return undefined
}

function powerCheck(throttled: number | undefined): Check[] {
  if (throttled === undefined) return []
  const found = throttled & UNDER_VOLTAGE
  if (found === 0) return [fine('power supply', 'the voltage has held since the machine started')]
  const when = (found & NOW) !== 0 ? 'the voltage is too low now' : 'the voltage was too low since the machine started'
  const fix = 'use the power supply of the Raspberry Pi and a short cable; give hungry printers a supply of their own'
  return [warning('power supply', `${when}: writes to the disk can fail`, fix)]
}

const HOT_DEGREES = 80

function temperatureCheck(sys: string, throttled = 0): Check[] {
  const zones = join(sys, 'class/thermal')
  const degrees = namesIn(zones, /^thermal_zone\d+$/)
    .map((zone) => Number(told(join(zones, zone, 'temp')) ?? Number.NaN) / 1000)
    .filter((value) => Number.isFinite(value))
  if (degrees.length === 0) return []
  const detail = `${Math.round(Math.max(...degrees))} °C`
  const fix = 'give the machine air: a fan, a heat sink, less sun; free its vents of dust'
  if (Math.max(...degrees) >= HOT_DEGREES) return [warning('temperature', `${detail} is too hot`, fix)]
  // A low voltage slows it down, too.
  if ((throttled & SLOWED_DOWN) !== 0 && (throttled & UNDER_VOLTAGE) === 0) {
    return [warning('temperature', `${detail} now, but it was so hot that the processor was slowed down`, fix)]
  }
  return [fine('temperature', detail)]
}

/** Tenths of its life that an eMMC has used up (JEDEC eMMC 5.0, EXT_CSD 268 and 269); 0x0b is more than all of it. */
const WORN_TENTHS = 9
/** Spare blocks: 1 is normal, 2 that four fifths are used (EXT_CSD 267). */
const SPARE_BLOCKS_LOW = 2

function wearChecks(sys: string): Check[] {
  const block = join(sys, 'class/block')
  return namesIn(block, /^mmcblk\d+$/).flatMap((disk) => {
    const used = (told(join(block, disk, 'device/life_time')) ?? '').split(/\s+/).map(Number).filter(Number.isInteger)
    const worst = Math.max(0, ...used)
    // 0 is told by one that does not count; an SD card has no such file.
    if (worst === 0) return []
    const spare = Number(told(join(block, disk, 'device/pre_eol_info')) ?? 0)
    const name = `storage ${disk}`
    const detail = worst > 10 ? 'its life is used up' : `at most ${worst * 10} % of its life is used`
    if (worst < WORN_TENTHS && spare < SPARE_BLOCKS_LOW) return [fine(name, detail)]
    const blocks = spare >= SPARE_BLOCKS_LOW ? ', and its spare blocks run out' : ''
    return [warning(name, `${detail}${blocks}`, 'replace the storage soon; keep a backup elsewhere: fisk backup FILE')]
  })
}

function namesIn(folder: string, wanted: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => wanted.test(name))
      .sort()
  } catch {
    return []
  }
}

import { join } from 'node:path'
import { type Check, fine, warning } from '../../domain/check.ts'
import { alike, together } from '../../domain/texts/both.ts'
import { type Around, namesIn, procOf, sysOf, textOf } from './system.ts'

export function machineChecks(io: Around): Check[] {
  const throttled = throttledBits(sysOf(io))
  return [
    ...memoryCheck(procOf(io)),
    ...powerCheck(throttled),
    ...temperatureCheck(sysOf(io), throttled),
    ...wearChecks(sysOf(io)),
  ]
}

const MEMORY = { en: 'memory', hr: 'memorija' }
const POWER = { en: 'power supply', hr: 'napajanje' }
const TEMPERATURE = { en: 'temperature', hr: 'temperatura' }

const LOW_MEMORY_MB = 64

function memoryCheck(proc: string): Check[] {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(textOf(join(proc, 'meminfo')))?.[1]
  if (available === undefined) return []
  const megabytes = Math.floor(Number(available) / 1024)
  const detail = { en: `${megabytes} MB are available`, hr: `slobodno: ${megabytes} MB` }
  const fix = {
    en: 'end what takes most of it: ps aux --sort=-rss | head',
    hr: 'zaustavite ono što je najviše troši: ps aux --sort=-rss | head',
  }
  return [megabytes < LOW_MEMORY_MB ? warning(MEMORY, detail, fix) : fine(MEMORY, detail)]
}

/** Bits of the firmware of a Raspberry Pi (vcgencmd get_throttled): now, and the same 16 higher since it started. */
const UNDER_VOLTAGE = 0x1_0001
const NOW = 0xffff
const SLOWED_DOWN = 0xe_000e

function throttledBits(sys: string): number | undefined {
  const platform = join(sys, 'devices/platform')
  // `soc/soc:firmware`; with an address in both names on a Pi 5.
  for (const soc of namesIn(platform, /^soc/).sort()) {
    for (const firmware of namesIn(join(platform, soc), /:firmware$/).sort()) {
      const text = textOf(join(platform, soc, firmware, 'get_throttled'))
      if (/^(0x)?[0-9a-f]+$/i.test(text)) return Number.parseInt(text, 16)
    }
  }
  return undefined
}

function powerCheck(throttled: number | undefined): Check[] {
  if (throttled === undefined) return []
  const found = throttled & UNDER_VOLTAGE
  if (found === 0)
    return [
      fine(POWER, {
        en: 'the voltage has held since the machine started',
        hr: 'napon je od pokretanja računala bio dovoljan',
      }),
    ]
  const detail =
    (found & NOW) !== 0
      ? {
          en: 'the voltage is too low now: writes to the disk can fail',
          hr: 'napon je prenizak: pisanje na disk može biti neuspješno',
        }
      : {
          en: 'the voltage was too low since the machine started: writes to the disk can fail',
          hr: 'napon je od pokretanja računala bio prenizak: pisanje na disk može biti neuspješno',
        }
  const fix = {
    en: 'use the power supply of the Raspberry Pi and a short cable; give hungry printers a supply of their own',
    hr:
      'koristite napajanje za Raspberry Pi i kratak kabel; pisačima koji troše mnogo struje osigurajte ' +
      'vlastito napajanje',
  }
  return [warning(POWER, detail, fix)]
}

const HOT_DEGREES = 80

function temperatureCheck(sys: string, throttled = 0): Check[] {
  const zones = join(sys, 'class/thermal')
  const degrees = namesIn(zones, /^thermal_zone\d+$/)
    .map((zone) => Number(textOf(join(zones, zone, 'temp')) || Number.NaN) / 1000)
    .filter((value) => Number.isFinite(value))
  if (degrees.length === 0) return []
  const detail = `${Math.round(Math.max(...degrees))} °C`
  const fix = {
    en: 'give the machine air: a fan, a heat sink, less sun; free its vents of dust',
    hr: 'osigurajte hlađenje: ventilator, hladnjak, manje sunca; očistite prašinu s otvora',
  }
  if (Math.max(...degrees) >= HOT_DEGREES)
    return [warning(TEMPERATURE, { en: `${detail} is too hot`, hr: `${detail}: pregrijano` }, fix)]
  // A low voltage slows it down, too.
  if ((throttled & SLOWED_DOWN) !== 0 && (throttled & UNDER_VOLTAGE) === 0) {
    return [
      warning(
        TEMPERATURE,
        {
          en: `${detail} now, but it was so hot that the processor was slowed down`,
          hr: `sada ${detail}, ali je računalo bilo toliko vruće da je procesor usporen`,
        },
        fix,
      ),
    ]
  }
  return [fine(TEMPERATURE, alike(detail))]
}

/** Tenths of its life that an eMMC has used up (JEDEC eMMC 5.0, EXT_CSD 268 and 269); 0x0b is more than all of it. */
const WORN_TENTHS = 9
/** Spare blocks: 1 is normal, 2 that four fifths are used (EXT_CSD 267). */
const SPARE_BLOCKS_LOW = 2

function wearChecks(sys: string): Check[] {
  const block = join(sys, 'class/block')
  return namesIn(block, /^mmcblk\d+$/)
    .sort()
    .flatMap((disk) => {
      const used = textOf(join(block, disk, 'device/life_time'))
        .split(/\s+/)
        .map(Number)
        .filter(Number.isInteger)
      const worst = Math.max(0, ...used)
      // 0 is told by one that does not count; an SD card has no such file.
      if (worst === 0) return []
      const spare = Number(textOf(join(block, disk, 'device/pre_eol_info')))
      const name = { en: `storage ${disk}`, hr: `pohrana ${disk}` }
      const detail =
        worst > 10
          ? { en: 'its life is used up', hr: 'vijek trajanja je istrošen' }
          : {
              en: `at most ${worst * 10} % of its life is used`,
              hr: `iskorišteno najviše ${worst * 10} % vijeka trajanja`,
            }
      if (worst < WORN_TENTHS && spare < SPARE_BLOCKS_LOW) return [fine(name, detail)]
      const blocks =
        spare >= SPARE_BLOCKS_LOW
          ? { en: ', and its spare blocks run out', hr: ', a pričuvni blokovi su pri kraju' }
          : alike('')
      return [
        warning(name, together`${detail}${blocks}`, {
          en: 'replace the storage soon; keep a backup elsewhere: fisk backup FILE',
          hr: 'uskoro zamijenite pohranu; sigurnosnu kopiju čuvajte drugdje: fisk backup FILE',
        }),
      ]
    })
}

import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../chaos/arguments.ts'
import { createChance } from '../chaos/chance.ts'
import type { Ending } from '../chaos/daemon.ts'
import { readDatabase } from '../chaos/database.ts'
import type { Evidence } from '../chaos/judge.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { confirmAll, list, repeatAll, retryFailed } from '../chaos/settle.ts'
import { uploadCertificate } from '../chaos/shop.ts'
import { riseOrThrow } from '../chaos-sync/servers.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import { type Day, rowOf } from './days.ts'
import { openDiary } from './diary.ts'
import { type Kiosk, openKiosk } from './kiosk.ts'
import type { SoakOptions } from './options.ts'
import { planWeek, TLS_HOUR, tlsDayOf } from './plan.ts'
import { type KioskPrinter, startKioskPrinter } from './printer.ts'
import { openSellers, type Sellers } from './sellers.ts'
import type { SharedClock } from './shared-clock.ts'
import { weekOf } from './week.ts'

/** Everything that a run has to tell. */
export interface SoakOutcome {
  evidence: Evidence
  days: Day[]
  /** Ids of invoices whose receipt had to come out. */
  withPaper: Set<string>
  /** ZKIs of receipts whose cut was the end of a roll, as often as they came out. */
  lastOfRolls: string[]
  /** Serial numbers of the TLS certificate: at the start of the days and at their end. */
  tls: [string, string]
  /** Whether the company signs with the certificate that it was given in the middle. */
  newCertificateInUse: boolean
  watchdog: Kiosk['watchdog']
  rollsUsed: number
  ownEnds: Ending[]
  stop: Ending
  jumps: Agenda['jumps']
  realSeconds: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** So long before the end of its validity, and after its making, a TLS certificate of fiskd is renewed. */
const TLS_AGE_MS = 366 * DAY_MS

/** The build of fiskd is older, and the shop is set up a year before the days. */
const AHEAD_MS = TLS_AGE_MS + 10 * DAY_MS

const MACHINES = 2
const RECEIPTS_PER_ROLL = 250

/** In a short run rolls are shorter, so that the printers come to their ends. */
const LEAST_ROLLS = 5
const ROLL_CHANGE_MS = 40 * 60_000

/** fiskd forgets idempotency keys after a day: a sale that is posted again later is a new one. */
const KEY_MS = 20 * HOUR_MS

/** Real time for the end of a run. */
const CONFIRM_MS = 60_000

export async function runSoak(options: SoakOptions, clock: SharedClock, scratch: Scratch): Promise<SoakOutcome> {
  const realStart = clock.realTick()
  const chance = createChance(options.seed)
  const week = weekOf(options, chance.branch(), Date.now() + AHEAD_MS)
  clock.set(week.at(tlsDayOf(options), TLS_HOUR) - TLS_AGE_MS)

  let rollIsOut: (printer: KioskPrinter) => void = () => {}
  const receiptsPerRoll = Math.min(RECEIPTS_PER_ROLL, Math.ceil((options.days * options.sales) / LEAST_ROLLS))
  const printers: KioskPrinter[] = []
  for (let i = 0; i < MACHINES; i++) {
    const printer: KioskPrinter = await startKioskPrinter(receiptsPerRoll, () => rollIsOut(printer))
    printers.push(printer)
  }
  const kiosk = await openKiosk(options, printers, clock, chance, scratch)
  const { authority, daemon, shop, watchdog, backupDir } = kiosk
  const { dataDir } = daemon
  mkdirSync(backupDir)
  const sellers = openSellers(shop, printers, clock, chance.branch())
  await sellers.sell()

  // The machine stands in a store room until the week begins.
  await daemon.stop()
  clock.set(week.start)
  await riseOrThrow(daemon)
  const tlsBefore = tlsSerial(dataDir)

  const realEnd = realStart + options.minutes * 60_000
  const agenda = createAgenda({ clock, end: week.end, realEnd, afterJump: () => watchdog.look() })
  rollIsOut = (printer) => agenda.add(Date.now() + ROLL_CHANGE_MS, () => printer.changeRoll())
  const diary = openDiary(kiosk, sellers, printers, clock, scratch)
  let newCertificate = ''
  planWeek(agenda, week, options, chance.branch(), {
    authority,
    sell: sellers.sell,
    read: diary.read,
    rotateLog: diary.rotateLog,
    backUp: kiosk.backUp,
    retryFailed: () => retryFailed(shop),
    freeze() {
      const pid = daemon.pid() ?? 0
      process.kill(pid, 'SIGSTOP')
      clock.ignore(pid)
    },
    async newCertificate() {
      newCertificate = String((await uploadCertificate(daemon.socketPath, shop.companyId, await authority.renew())).id)
    },
    async endDay() {
      const row = rowOf(await diary.endDay())
      say(
        Object.entries(row)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
      )
    },
  })
  await agenda.runTo(week.end)

  await authority.calm()
  // The sweep's next pass, and the echo before it.
  await agenda.runTo(Date.now() + HOUR_MS)
  await confirmAll(shop, CONFIRM_MS)
  await repeatAll({
    ...sellers,
    sales: sellers.sales.filter(({ occurredAt }) => Date.parse(occurredAt) > Date.now() - KEY_MS),
  })
  const shown = await list(shop)
  const certificates = await daemon.admin('GET', `/v1/certificates?company_id=${shop.companyId}`)
  const stop = await daemon.stop()
  const lastOfRolls = new Set(printers.flatMap(({ lastTexts }) => lastTexts).flatMap(zkisIn))
  const onPaper = printers.flatMap((printer) => printer.texts()).flatMap(zkisIn)
  for (const printer of printers) await printer.close()
  const received = await authority.received()
  return {
    evidence: {
      sales: sellers.sales,
      shown,
      kept: readDatabase(dataDir),
      received,
      paper: onPaper.filter((zki) => !lastOfRolls.has(zki)),
      printersTell: true,
    },
    lastOfRolls: onPaper.filter((zki) => lastOfRolls.has(zki)),
    days: diary.days,
    withPaper: idsOf(sellers),
    tls: [tlsBefore, tlsSerial(dataDir)],
    newCertificateInUse: isInUse(certificates, newCertificate),
    watchdog,
    rollsUsed: printers.reduce((sum, printer) => sum + printer.rollsUsed, 0),
    ownEnds: daemon.ownEnds,
    stop,
    jumps: agenda.jumps,
    realSeconds: (clock.realTick() - realStart) / 1000,
  }
}

const tlsSerial = (dataDir: string) =>
  new X509Certificate(readFileSync(join(dataDir, 'tls', 'server.pem'))).serialNumber
const zkisIn = (text: string) =>
  [...text.replace(/\s+/g, '').matchAll(/ZKI:([0-9a-f]{32})/g)].map(([, zki]) => String(zki))
const idsOf = ({ withPaper }: Sellers) => new Set([...withPaper].flatMap(({ seen }) => seen[0]?.id ?? []))

function isInUse(answer: Record<string, unknown>, id: string): boolean {
  const { data } = answer as { data: { id: string; status: string }[] }
  return data.some((one) => one.id === id && one.status === 'valid')
}

import { generateKeyPairSync } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fillWith, storeGateways } from '../../scripts/bench/fill-fleet.ts'
import { type BenchGateway, exchange, fleetOf, machinesOf, type Sale, saleOf } from '../../scripts/bench/fleet-rows.ts'
import { dateAt, daysFrom, monthsFrom, startOfDay } from '../../src/domain/calendar-date.ts'
import { DAY_MS } from '../../src/domain/instant.ts'
import { HEARTBEAT } from './commands.ts'
import { inDatabase } from './database.ts'
import { addCompany, type Gateway, startEmptyGateway } from './gateway.ts'
import { tempDir } from './temp-dir.ts'

const HOUR_MS = 3_600_000
/** At 632 machines; other sizes keep the shares. */
const OF_632 = [
  { name: 'Kava na klik d.o.o.', kind: 'Kavomat', gateways: 31, machines: 263 },
  { name: 'Morski automati d.o.o.', kind: 'Kombi automat', gateways: 26, machines: 206 },
  { name: 'Zdrava pauza d.o.o.', kind: 'Vitamat', gateways: 16, machines: 163 },
]
const TOWNS = ['Zagreb', 'Split', 'Rijeka', 'Osijek', 'Zadar', 'Varaždin', 'Karlovac', 'Dubrovnik', 'Šibenik', 'Pula']
const SITES = ['Glavni kolodvor', 'Bolnica', 'Ekonomski fakultet', 'Studentski dom', 'Centar', 'Bazen', 'Knjižnica']
/** Twenty machines stand here, of two gateways. */
export const CLINIC = 'Klinika Firule'

export interface OfficeFleet {
  dir: string
  machines: BenchGateway[]
  companies: { id: string; name: string; oib: string }[]
  /** Machines without an ISU number, and those that have sold nothing for twelve days. */
  lacking: BenchGateway[]
  stopped: BenchGateway[]
  /** Of silent gateways. */
  unknown: BenchGateway[]
  /** Ids of refused invoices of one cause; five more have another cause. */
  refused: string[]
  /** A sale of 7,30 € that a customer asks for. */
  sought: { at: number; number: string }
  /** Cents that each company sold for last month, by its name. */
  lastMonth: ReadonlyMap<string, number>
}

/**
 * Fills `dir` with the database of a central server, as an office has it in the morning: three companies with machines in ten towns, one
 * gateway for some nine machines, some of them silent, and what goes wrong in a fleet.
 * @param size machines
 */
export async function storeOfficeFleet(size: number, dir: string): Promise<OfficeFleet> {
  const now = Date.now()
  const place = join(dir, 'fiskd.db')
  const machines = machinesOfOffice(size, now)
  const lacking = machines.filter(({ device }) => device.isuNumber === null)
  const unknown = machines.filter(({ record }) => (record.lastSeenAt ?? 0) < now)
  const earning = machines.filter((one) => !lacking.includes(one) && !unknown.includes(one))
  const active = earning.filter(({ device }) => device.status === 'active' && !device.label.includes(CLINIC))
  const stopped = active.filter((_, i) => i % 47 === 33)
  await storeGateways(place, machines)

  const today = startOfDay(dateAt(now))
  const thisMonth = startOfDay({ ...dateAt(now), date: 1 })
  const tenth = startOfDay(daysFrom(monthsFrom({ ...dateAt(now), date: 1 }, -1), 9))
  const said = exchange()
  const sales: Sale[] = []
  const sell = (gateway: BenchGateway, at: number, total: string) => {
    const [invoice, message] = saleOf(gateway, said, at)
    Object.assign(invoice.row.document, { total, paymentMethod: invoice.row.document.number === '1' ? 'K' : 'G' })
    sales.push({ gateway, invoice, message })
    return invoice.row
  }
  const refused: string[] = []
  let others = 0
  for (const [i, machine] of machines.entries()) {
    if (stopped.includes(machine)) {
      for (let day = 45; day >= 12; day--)
        for (const hour of [8, 12, 16]) sell(machine, today - day * DAY_MS + hour * HOUR_MS + i, '1.50')
      continue
    }
    if (machine.device.isuNumber === null) continue
    sell(machine, tenth + 8 * HOUR_MS + i * 1000, `${1 + (i % 9)}.00`)
    const yesterday = sell(machine, today - 12 * HOUR_MS + i * 1000, '2.50')
    const isOfOne = machine.company === machines[0]?.company && refused.length < 30
    if (isOfOne || others < 5) {
      const [errorCode, errorMessage] = isOfOne
        ? ['upstream_rejected', 's001']
        : ['hr.certificate_oib_mismatch', 's005']
      const refusal = { status: 'failed' as const, jir: null, confirmedAt: null, lastErrorClass: 'validation' as const }
      Object.assign(yesterday, { ...refusal, errorCode, errorMessage })
      if (isOfOne) refused.push(yesterday.id)
      else others++
    }
    if (!unknown.includes(machine)) sell(machine, Math.max(today, now - HOUR_MS / 2) + i, '2.00')
  }
  // A customer names the amount and the time; others have paid as much.
  const paying = active.filter((one) => !stopped.includes(one)).slice(0, 6)
  const [paid] = paying.map((one, i) => sell(one, today - (5 + i) * HOUR_MS, '7.30'))
  await fillWith(place, machines, sales)

  const lastMonth = new Map<string, number>()
  const monthBefore = startOfDay(monthsFrom({ ...dateAt(now), date: 1 }, -1))
  for (const { gateway, invoice } of sales) {
    const { occurredAt, document } = invoice.row
    if (occurredAt < monthBefore || occurredAt >= thisMonth) continue
    const { name } = gateway.company
    lastMonth.set(name, (lastMonth.get(name) ?? 0) + Math.round(Number(document.total) * 100))
  }
  const { number, premisesCode, registerMark } = (paid as Sale['invoice']['row']).document
  return {
    ...{ dir, machines, lacking, stopped, unknown, refused, lastMonth },
    companies: [...new Set(machines.map(({ company }) => company))],
    sought: { at: paid?.occurredAt ?? 0, number: `${number}/${premisesCode}/${registerMark}` },
  }
}

/** What a machine of the fleet is follows from its place in it: the same size gives the same fleet. */
function machinesOfOffice(size: number, now: number): BenchGateway[] {
  const scale = size / 632
  const [seen, silent] = [now + DAY_MS, now - 2 * DAY_MS]
  const publicKey = generateKeyPairSync('x25519')
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64url')
  // The companies of the helper have fifty gateways each.
  const three = fleetOf(150).filter((_, i) => i % 50 === 0)
  const counts = OF_632.map((one) => Math.round(one.gateways * scale))
  const gateways = fleetOf(counts.reduce((sum, count) => sum + count, 0))
  return OF_632.flatMap(({ name, kind, machines }, c) => {
    const { company, certificate } = three[c] as BenchGateway
    Object.assign(company, { name })
    Object.assign(certificate, { serial: `c${c}`, notAfter: now + (c === 1 ? 11.5 : 300) * DAY_MS })
    const own = gateways.splice(0, counts[c] as number)
    const all =
      c === 2
        ? size - [0, 1].reduce((sum, i) => sum + Math.round((OF_632[i]?.machines ?? 0) * scale), 0)
        : Math.round(machines * scale)
    const isClinic = (g: number) => c === 2 && g >= own.length - 2
    const each = Math.floor(all / own.length)
    const ofCompany = own.flatMap((gateway, g) => {
      const [town, site] = isClinic(g)
        ? ['Split', CLINIC]
        : [TOWNS[(g * 7 + c) % TOWNS.length], SITES[g % SITES.length]]
      const at = g % 12 === 5 && !isClinic(g) ? silent : seen
      Object.assign(gateway, {
        company,
        certificate: {
          ...gateway.certificate,
          ...certificate,
          id: gateway.certificate.id,
          companyId: company.id,
          subjectOib: company.oib,
        },
      })
      Object.assign(gateway.record, {
        name: `${town}-${c}-${g}`.toLowerCase(),
        publicKey,
        heartbeat: HEARTBEAT,
        enrolledAt: now - 90 * DAY_MS,
        lastSeenAt: at,
        reportedAt: at,
      })
      Object.assign(gateway.device, {
        companyId: company.id,
        label: `${kind} ${town} ${site} ${g}`,
        premisesCode: `P${c}G${g}`,
        premisesAddress: `Ulica grada Vukovara ${g + 1}, ${town}`,
      })
      return machinesOf([gateway], each + (g < all % own.length ? 1 : 0))
    })
    for (const [m, { device, record }] of ofCompany.entries()) {
      const isPlain = device.label.includes(CLINIC) || record.lastSeenAt === silent
      Object.assign(device, { isuNumber: String(100_000 * (c + 1) + m) })
      if (isPlain) continue
      if (m % 14 === 7) Object.assign(device, { isuNumber: null, isuStatus: 'pending' })
      else if (m % 90 === 20) Object.assign(device, { status: 'suspended' })
    }
    return ofCompany
  })
}

/** A central server on a copy of the fleet, which knows the companies of the gateways as its own. */
export async function startOffice(fleet: OfficeFleet, env: Record<string, string> = {}): Promise<Gateway> {
  const dir = await tempDir()
  await cp(fleet.dir, dir, { recursive: true })
  const server = await startEmptyGateway({
    ...{ FISKD_ROLE: 'server', FISKD_DATA_DIR: dir, FISKD_SWEEP_INTERVAL_S: '86400' },
    // Certificates of the companies are of the test's own authority.
    ...{ FISKD_TRUST_LIVE: join(dir, 'trust', 'test.pem'), ...env },
  })
  for (const { oib, name } of fleet.companies) await addCompany(server, oib, { name })
  await inDatabase(server, "UPDATE companies SET mode = 'live'")
  await server.watch()
  return server
}

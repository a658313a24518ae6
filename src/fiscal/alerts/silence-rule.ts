import { setImmediate } from 'node:timers/promises'
import { type EpochMs, formatInstant, HOUR_MS } from '../../domain/instant.ts'
import { slices } from '../../domain/slices.ts'
import { stateOf } from '../gateways/gateways.ts'
import { inSlices } from '../in-slices.ts'
import { gatewaysOf } from '../machines/read-machines.ts'
import { createHoursOfWeek, RHYTHM_MS, type UnusualSilence, unusualSilence } from '../machines/silence.ts'
import { type Company, LOCAL_GATEWAY } from '../ports/model.ts'
import type { ListedDevice, MachineGateway } from '../ports/rows/machines.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Finding, Findings, Rule } from './alert-watch.ts'

/** The whole fleet is looked at this often. */
const LOOK_EVERY_MS = 15 * 60_000
/** A shorter silence is no alert, and for machines that sell all the time nothing is read. */
const SHORTEST_MS = 2 * HOUR_MS
/** Machines whose rhythm one pass reads; the next pass goes on. Rhythms are kept until the next sale. */
const RHYTHMS_OF_PASS = 500
/** Machines of one query: a sale in between waits for a few milliseconds. */
const RHYTHMS_AT_ONCE = 20
/** Machines that an alert knows by their ids; gateways send at most 32 KB of detail. */
const MOST_NAMED = 500
/** Machines that it has with what a mail says of each. */
const MOST_LISTED = 20

interface Known {
  lastSaleAt: EpochMs
  silence: UnusualSilence | null
}

interface Candidate {
  device: ListedDevice['device']
  company: Company
  lastSaleAt: EpochMs
}

type SilentMachine = Candidate & { silence: UnusualSilence }

/**
 * Machines that have sold nothing for unusually long, by their own rhythm. Those of a company whose silence became
 * unusual in the same hour are one alert, so a holiday that nobody knows of is a few mails and not thousands.
 *
 * A central server judges the machines of its gateways, too, as long as they report; an enrolled gateway leaves it to
 * its server.
 * @param elapsed a monotonic clock in milliseconds
 */
export function silenceRule(store: StoreTransaction, elapsed: () => number): Rule {
  const known = new Map<string, Known>()
  const hourOfWeek = createHoursOfWeek()
  let latest: Findings = { found: [], isUnclear: () => true }
  let next = Number.NEGATIVE_INFINITY

  return {
    kinds: ['machine_silent'],
    async look(now) {
      if (elapsed() < next) return latest
      if (await store.enrolment.get()) return { found: [] }
      const fleet = await readFleet(store, now)
      for (const id of known.keys()) if (!fleet.present.has(id)) known.delete(id)
      if (!(await readRhythms(fleet.candidates))) return latest
      next = elapsed() + LOOK_EVERY_MS
      latest = findingsOf(silentOf(fleet.candidates, now), fleet.unclear)
      return latest
    },
  }

  /** @returns whether all of them are known now */
  async function readRhythms(candidates: readonly Candidate[]): Promise<boolean> {
    const unread = candidates.filter(({ device, lastSaleAt }) => known.get(device.id)?.lastSaleAt !== lastSaleAt)
    const some = unread.slice(0, RHYTHMS_OF_PASS)
    for (const slice of slices(some, RHYTHMS_AT_ONCE)) {
      const wanted = slice.map(({ device, company, lastSaleAt }) => ({
        deviceId: device.id,
        mode: company.mode,
        from: lastSaleAt - RHYTHM_MS,
      }))
      const sold = Map.groupBy(await store.machines.soldByHour(wanted), ({ deviceId }) => deviceId)
      for (const { device, lastSaleAt } of slice) {
        const silence = unusualSilence(sold.get(device.id) ?? [], hourOfWeek)
        known.set(device.id, { lastSaleAt, silence })
      }
      await setImmediate()
    }
    return some.length === unread.length
  }

  function silentOf(candidates: readonly Candidate[], now: EpochMs): SilentMachine[] {
    return candidates.flatMap((candidate) => {
      const silence = known.get(candidate.device.id)?.silence
      return silence && silence.since <= now ? [{ ...candidate, silence }] : []
    })
  }
}

interface Fleet {
  /** The ids of all machines. */
  present: Set<string>
  /** Machines that are meant to sell and have not sold for some time. */
  candidates: Candidate[]
  /** Machines that may have sold: their gateway has not sent it yet. */
  unclear: Set<string>
}

async function readFleet(store: StoreTransaction, now: EpochMs): Promise<Fleet> {
  const fleet: Fleet = { present: new Set(), candidates: [], unclear: new Set() }
  for (const { id: tenantId } of await store.tenants.list()) {
    const companies = new Map<string, Company>()
    const realm = { tenantId, mode: null, companyIds: null }
    for await (const company of inSlices((slice) => store.companies.list(realm, slice))) {
      if (company.status === 'active') companies.set(company.id, company)
    }
    const gateways = await gatewaysOf(store, tenantId)
    const known = new Map(gateways.map((gateway) => [gateway.id, hasToldAll(gateway, now)]))
    for await (const { device, lastSaleAt } of inSlices((slice) => store.machines.devices(tenantId, slice))) {
      fleet.present.add(device.id)
      const company = companies.get(device.companyId)
      if (device.status !== 'active' || !company || lastSaleAt === null || now - lastSaleAt < SHORTEST_MS) continue
      const isKnown = device.gatewayId === LOCAL_GATEWAY ? 'yes' : known.get(device.gatewayId)
      if (isKnown === 'yes') fleet.candidates.push({ device, company, lastSaleAt })
      else if (isKnown === 'not_yet') fleet.unclear.add(device.id)
    }
  }
  return fleet
}

/** Whether all its sales are here that this server takes; `never` for one that tells nothing any more. */
function hasToldAll(gateway: MachineGateway, now: EpochMs): 'yes' | 'not_yet' | 'never' {
  const state = stateOf(gateway, now)
  const { waiting, refused } = gateway.heartbeat?.outbox ?? { waiting: 1, refused: 0 }
  if (state === 'connected') return waiting <= refused ? 'yes' : 'not_yet'
  return state === 'silent' || state === 'duplicated' ? 'not_yet' : 'never'
}

function findingsOf(silent: readonly SilentMachine[], unclear: ReadonlySet<string>): Findings {
  const groups = Map.groupBy(
    silent,
    ({ company, silence }) => `${company.id} ${company.mode} ${formatInstant(silence.since)}`,
  )
  return {
    found: [...groups].map(([subject, group]) => findingOf(subject, group)),
    isUnclear: ({ detail }) => Array.isArray(detail.devices) && detail.devices.some((id) => unclear.has(String(id))),
  }
}

function findingOf(subject: string, group: SilentMachine[]): Finding {
  const [longest] = group.sort((one, other) => one.lastSaleAt - other.lastSaleAt) as [SilentMachine]
  const { company, silence } = longest
  const detail = {
    company: company.name,
    company_id: company.id,
    mode: company.mode,
    count: group.length,
    ...machineOf(longest),
    longest_pause_hours: silence.longestPauseHours,
    machines: group.slice(0, MOST_LISTED).map(machineOf),
    devices: group.slice(0, MOST_NAMED).map(({ device: { id } }) => id),
  }
  return { tenantId: company.tenantId, kind: 'machine_silent', subject, detail }
}

const machineOf = ({ device, lastSaleAt, silence }: SilentMachine) => ({
  device: device.label,
  place: device.premisesAddress?.trim() || device.premisesCode,
  since: formatInstant(lastSaleAt),
  sales_per_week: silence.salesPerWeek,
})

import { setImmediate } from 'node:timers/promises'
import type { Mode } from '../../../domain/sale/sale.ts'
import { bringTrust } from '../../../domain/texts/trust-texts.ts'
import { zagrebYear } from '../../../domain/zagreb.ts'
import { reachesCompany } from '../../access/principal.ts'
import { sequencesEnding } from '../../numbering/current-sequences.ts'
import type { Issued } from '../../numbering/lost-sales.ts'
import type { Company, Device, Journal, Sequence } from '../../ports/model.ts'
import type { Behind } from '../../ports/rows/issued.ts'
import type { TrustBundles, TrustCare } from '../../ports/trust.ts'
import type { LookAtDisk } from '../../sales/disk-space.ts'
import { type Blocker, type DeviceCounts, forTenant } from './blocker.ts'
import { type CompanyDeps, companyBlocker } from './company-blockers.ts'
import { type BlockerRealm, deviceBlockers } from './device-blockers.ts'

export interface BlockerDeps extends CompanyDeps {
  trust: TrustBundles & Pick<TrustCare, 'given'>
  lookAtDisk: LookAtDisk
  issued: Pick<Issued, 'lost'>
  /** A server need not sell anything itself. */
  role?: 'gateway' | 'server'
}

/**
 * Checks for every machine the steps of a sale, in the same order: room on the disk, device, company, ISU number,
 * certificate, receipt numbers. Faults of a single sale are left out, and also the tax authority, because a sale is
 * made even if it is not reachable.
 * @param only one device; only its problems are returned
 * @param realm whose companies and devices are checked
 */
export async function findBlockers(
  deps: BlockerDeps,
  only?: Device,
  realm: BlockerRealm = { tenantId: null, companyIds: null },
): Promise<{ problems: Blocker[]; devices: DeviceCounts }> {
  const isMeant = (company: Company) =>
    only
      ? company.id === only.companyId
      : (realm.tenantId === null || company.tenantId === realm.tenantId) && reachesCompany(realm, company.id)
  const companies = (await deps.store.companies.ours()).filter(isMeant)
  const common = await commonBlockers(deps, companies, only)
  const machines = await deviceBlockers(deps.store, companies, common.stops, only, realm)
  if (common.stopsAll) machines.devices.able = 0
  const isNamed = ({ status }: Company) => only !== undefined || status !== 'archived'
  const [lost] = deps.issued.lost()
  const isWaiting = deps.role === 'server' && !lost
  const collects = companies.length === 0 && (isWaiting || (await deps.store.gateways.count()) > 0)
  const missing = companies.some(isNamed) || collects ? [] : [lost ? lostProblem(lost) : NO_COMPANY]
  return {
    problems: [...common.problems, ...missing, ...(collects ? [] : machines.problems)],
    devices: machines.devices,
  }
}

/** What stops machines of these own companies and is not in the machine: from disk and trust to receipt numbers. */
export async function commonBlockers(
  deps: BlockerDeps,
  companies: Company[],
  only?: Device,
): Promise<{
  problems: Blocker[]
  /** Whether nothing can be sold here at all. */
  stopsAll: boolean
  /** Whether one of the other problems stops the device when it sells with this register mark. */
  stops(device: Device, register: string | null): boolean
}> {
  const storage = await storageProblems(deps)
  const ofCompanies = new Map<string, Blocker | null>()
  // Archived companies are left out, except for a question about their device.
  for (const company of companies.filter(({ status }) => only !== undefined || status !== 'archived')) {
    ofCompanies.set(company.id, await companyBlocker(deps, company))
    // Validating a chain of certificates takes time.
    await setImmediate()
  }
  const untrusted = untrustedModes(deps, companies)
  const blocked = new Set(
    companies
      .filter(({ id, mode, status }) => status !== 'active' || ofCompanies.get(id) || untrusted.includes(mode))
      .map(({ id }) => id),
  )
  const numbers = await numberBlockers(deps, companies, only)
  const own = [...ofCompanies.values()].filter((problem) => problem !== null)
  return {
    problems: [
      ...storage,
      ...untrusted.map((mode) => noTrust(mode, deps.trust.given(mode))),
      ...own,
      ...numbers.problems,
    ],
    stopsAll: storage.length > 0,
    stops: (device, register) => blocked.has(device.companyId) || numbers.concerns(device, register),
  }
}

const NO_COMPANY: Blocker = {
  cause: 'no_company',
  subject: 'company',
  problem: 'there is no active company',
  fix: 'sudo fisk init',
}

const noTrust = (mode: Mode, given: string | null): Blocker => ({
  cause: 'no_trust',
  mode,
  subject: `trust ${mode}`,
  problem: `the CA certificates of the ${mode} service are not installed`,
  fix: bringTrust(mode, 'base', given).en,
})

async function storageProblems({ store, lookAtDisk }: BlockerDeps): Promise<Blocker[]> {
  const { room } = await lookAtDisk()
  const full: Blocker = {
    cause: 'disk_full',
    subject: 'disk',
    problem: 'the disk is full: no sale can be stored',
    fix: 'Free some space on the disk of the data directory; sales go on by themselves. What takes it: sudo du -xah /var/lib/fiskd / | sort -h | tail -20',
  }
  const refused = await store.ping().then(
    () => null,
    (error: Error) => noWrites(error),
  )
  return [...(room === 'no_sales' ? [full] : []), ...(refused ? [refused] : [])]
}

const noWrites = ({ message }: Error): Blocker => ({
  cause: 'no_writes',
  subject: 'database',
  problem: `the database takes no writes (${message})`,
  fix: 'Look at the disk and the log (journalctl -u fiskd), then: fisk doctor',
})

function untrustedModes({ trust }: BlockerDeps, companies: Company[]): Mode[] {
  const modes = new Set(companies.filter(({ status }) => status === 'active').map(({ mode }) => mode))
  return [...modes].filter((mode) => trust.certificates(mode, 'service').length === 0)
}

/** Premises without receipt numbers left this year, and those whose latest issued sales the database lacks. */
async function numberBlockers(
  { store, clock, issued }: BlockerDeps,
  companies: readonly Company[],
  only: Device | undefined,
) {
  const isAsked = ({ premisesCode }: Journal) => only === undefined || only.premisesCode === premisesCode
  const companyOf = ({ companyId, mode }: Journal) =>
    companies.find((company) => company.id === companyId && company.mode === mode)
  const lost = issued.lost().filter((one) => companyOf(one) && isAsked(one))
  const found: { sequence: Sequence; company: Company }[] = []
  for (const { sequence, left } of await sequencesEnding(store, clock.of('live').now())) {
    const company = companyOf(sequence)
    if (!company || left > 0n || sequence.year !== zagrebYear(clock.of(company.mode).now())) continue
    if (isAsked(sequence)) found.push({ sequence, company })
  }
  return {
    problems: [...found.map(problemOf), ...lost.map((one) => lostProblem(one, companyOf(one)))],
    /** @param register the register mark of the device's sales, if configured */
    concerns: ({ companyId, premisesCode }: Device, register: string | null) =>
      lost.some((one) => one.companyId === companyId && one.premisesCode === premisesCode) ||
      found.some(
        ({ sequence: one }) =>
          one.companyId === companyId &&
          one.premisesCode === premisesCode &&
          (one.register === '' || one.register === register),
      ),
  }
}

function problemOf({ sequence, company }: { sequence: Sequence; company: Company }): Blocker {
  const { premisesCode, register, year } = sequence
  return {
    cause: 'numbers_used_up',
    companyId: company.id,
    premises: { code: premisesCode, register: register === '' ? null : register },
    subject: `premises ${premisesCode}${register === '' ? '' : `, register ${register}`}`,
    problem: `the receipt numbers of ${year} are used up: nothing can be sold there`,
    fix: forTenant(company.tenantId, `fisk numbers heal ${company.oib} ${premisesCode}`),
  }
}

const RESTORE = 'restore a newer copy of the database: fisk restore FILE'

/** @param company of the lost sales; undefined where the database lacks it, too */
function lostProblem({ premisesCode, sales }: Behind, company?: Company): Blocker {
  const skip = company && `; or go on above these numbers: fisk numbers skip-lost ${company.oib} ${premisesCode}`
  return {
    cause: 'sales_lost',
    ...(company && { companyId: company.id, premises: { code: premisesCode, register: null } }),
    subject: `premises ${premisesCode}`,
    problem: `the database lacks sales that were issued, up to number ${sales.at(-1)?.number}: nothing is sold there`,
    fix: company ? forTenant(company.tenantId, `${RESTORE}${skip}`) : RESTORE,
  }
}

import { conflict, invalidRequest } from '../../domain/errors.ts'
import { DAY_MS, type EpochMs, formatInstant } from '../../domain/instant.ts'
import { REACH } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { zagrebYear } from '../../domain/zagreb.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { firstCurrentYear, LATEST_SALE_MS } from '../numbering/current-sequences.ts'
import { type ReplacedSequence, replacedNumbers } from '../numbering/replaced-numbers.ts'
import { parseStatedNumber, statedSequence } from '../numbering/stated-number.ts'
import type { CentralServer, KnownIdentity, Predecessor } from '../ports/central-server.ts'
import { type Premises, premisesKey } from '../ports/gateways.ts'
import { LOCAL_GATEWAY } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { SeenNumber } from '../ports/rows/numbering.ts'
import type { StoreTransaction } from '../ports/store.ts'

export interface ReplacementDeps extends Context {
  server: Pick<CentralServer, 'apart' | 'identity' | 'predecessor' | 'skip' | 'state'>
}

/** What a machine that replaces another one has taken over. */
export interface TakenOver {
  companies: KnownIdentity['companies']
  devices: KnownIdentity['devices']
  certificates: KnownIdentity['certificates']
  withoutJir: number
  /** Premises that another one sells at now: their devices were left out. */
  leftOut: KnownIdentity['taken']
  numbers: ReplacedSequence[]
  /** What was skipped wherever no number was stated; null when an earlier run did it. */
  gap: ReplacementGap | null
  /** False when an earlier run had taken everything over already. */
  isNew: boolean
  before: Predecessor | null
}

/** The statements and the gap of an operator, as they were typed. */
export interface NumbersLeft {
  highest: readonly string[]
  /** By how long the old machine was not heard, where it is left out. */
  gap?: number
}

const EVERYTHING = { tenantId: null, mode: null, companyIds: null }

/** Makes a machine with an empty database the gateway that another machine was. */
export function createReplacement({ store, clock, server }: ReplacementDeps) {
  async function requireUnsold(): Promise<void> {
    // A journal begins with the numbers that are taken over, before there is any sale.
    const ends = await Promise.all((await store.invoices.journals()).map((one) => store.invoices.lastOf(one)))
    if (ends.every((end) => end === undefined)) return
    throw conflict(
      'replace',
      'this machine sells already, so it replaces no other one: fisk status says how it is, and `fisk sync enroll` ties it ' +
        'to a server. To replace it itself, run fisk replace on the new card',
    )
  }

  async function own() {
    const [companies, devices] = [
      await store.companies.ours(),
      await store.devices.list({ ...EVERYTHING, ours: true }, FEW),
    ]
    return { companies, devices }
  }

  return {
    /** Refuses where this machine sells already, or was set up by itself. @throws FiskError 409 that says what to do */
    async requireFresh(): Promise<void> {
      await requireUnsold()
      const { companies, devices } = await own()
      if (companies.length === 0 && devices.length === 0) return
      if ((await store.enrolment.get())?.gatewayId) return
      throw setUpAlready([...devices.map(({ label }) => label), ...companies.map(({ name }) => name)])
    },
    /** Takes over what the enrolled gateway was before; again and again with the same outcome. @throws FiskError */
    async takeOver(principal: Principal, { highest, gap }: NumbersLeft): Promise<TakenOver> {
      const stated = highest.map((text) => parseStatedNumber(text) ?? unreadable(text))
      await requireUnsold()
      return server.apart(async () => {
        const identity = await server.identity()
        const isHeld = heldBy(identity)
        const devices = identity.devices.filter((one) => isHeld(one))
        const known = { ...identity, devices, seen: identity.numbers, now: clock.now() }
        const result = {
          companies: identity.companies,
          devices,
          certificates: identity.certificates,
          withoutJir: identity.withoutJir,
          leftOut: identity.taken,
          before: await server.predecessor(),
        }
        if (identity.devices.length === 0) throw nothingThere()
        const here = await own()
        if (here.devices.length > 0) {
          const ids = new Set(identity.devices.map(({ id }) => id))
          const foreign = here.devices.filter(({ id }) => !ids.has(id))
          if (foreign.length > 0) throw setUpAlready(foreign.map(({ label }) => label))
          return { ...result, numbers: [], gap: null, isNew: false }
        }
        // The server has dated what it heard, so its clock counts: a fresh card may have no right one yet.
        const serverNow = known.now + (server.state().clockAheadMs ?? 0)
        const space =
          gap === undefined
            ? gapSince(result.before?.lastSeenAt ?? null, serverNow)
            : { count: BigInt(gap), days: null }
        const numbers = replacedNumbers(known, { stated, gap: space.count })
        if (gap === undefined) requirePaper(result, numbers, space, serverNow)
        await server.skip(numbers.flatMap(lastOf))
        await store.transaction(async (tx) => {
          await insertAll(tx, result)
          await reserveAll(tx, identity, numbers, known.now)
          await tx.enrolment.update({ numbers: [] })
          const detail = {
            devices: devices.length,
            companies: identity.companies.length,
            gap: `${space.count}`,
            numbers: numbers.map(entryOf),
          }
          await audit(tx, principal, known.now, 'gateway.replaced', detail)
        })
        return { ...result, numbers, gap: space, isNew: true }
      })
    },
  }
}

const FEW = { limit: 10_000 }

function heldBy({ taken, companies }: KnownIdentity) {
  const others = new Set(taken.map(premisesKey))
  const known = new Set(companies.map(({ id }) => id))
  return (one: Premises) => known.has(one.companyId) && !others.has(premisesKey(one))
}

async function insertAll(tx: StoreTransaction, { companies, devices }: Pick<TakenOver, 'companies' | 'devices'>) {
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  for (const { logo, ...company } of companies) {
    if (await tx.companies.get(company.id)) continue
    await tx.companies.insert({ ...company, ...owner, logoHash: logo && (await tx.logos.put(logo)) })
  }
  for (const device of devices) await tx.devices.insert({ ...device, ...owner })
}

async function reserveAll(
  tx: StoreTransaction,
  { companies, numbers: seen }: KnownIdentity,
  numbers: readonly ReplacedSequence[],
  now: number,
): Promise<void> {
  const known = new Set(companies.map(({ id }) => id))
  for (const { level, ...sequence } of seen) {
    if (!known.has(sequence.companyId) || level === null) continue
    if ((await tx.numbering.level(sequence)) === undefined) await tx.numbering.setLevel(sequence, level)
  }
  for (const { sequence, reserve } of numbers) {
    await tx.numbering.lockPremises(sequence)
    if (reserve) await tx.numbering.reserve({ ...sequence, ...reserve, reservedAt: now })
  }
}

/** Numbers around a restore only the old machine knows for sure: paper is asked. @throws FiskError with the command */
function requirePaper(
  { before, companies }: Pick<TakenOver, 'before' | 'companies'>,
  numbers: readonly ReplacedSequence[],
  { count }: ReplacementGap,
  now: EpochMs,
): void {
  const [restoredAt, since] = [before?.restoredAt ?? null, firstCurrentYear(now)]
  // Sequences begin anew with each year, and a late sale belongs to the year before.
  if (restoredAt === null || zagrebYear(restoredAt + LATEST_SALE_MS) < since) return
  const modes = new Map<string, Mode>(companies.map(({ id, mode }) => [id, mode]))
  const open = numbers.filter(
    ({ why, seen, sequence: { companyId, mode, year } }) =>
      why === 'gap' && seen !== null && year >= since && mode === modes.get(companyId),
  )
  if (open.length === 0) return
  const asked = open.map(({ oib, sequence, seen }) => {
    const name = statedSequence({ ...sequence, oib })
    return `--highest ${name}=NUMBER (the server has seen ${seen}: where the paper ends lower, that)`
  })
  throw invalidRequest(
    'highest',
    `the old machine, or the server since it last heard it, was restored from a backup (${formatInstant(restoredAt)}), so ` +
      `the highest number on paper is needed: sudo fisk replace ${asked.join(' ')}. Without any paper: ` +
      `sudo fisk replace --gap ${count}`,
  )
}

const lastOf = ({ sequence, reserve }: ReplacedSequence): SeenNumber[] =>
  reserve ? [{ ...sequence, highest: reserve.last, level: null }] : []

const entryOf = ({ oib, sequence, seen, reserve, why }: ReplacedSequence) => {
  const { mode, premisesCode, year, register } = sequence
  return { company: oib, mode, premises_code: premisesCode, year, register, seen, from: reserve?.last ?? null, why }
}

function unreadable(text: string): never {
  throw invalidRequest('highest', `"${text}" is no statement about a number: write PREMISES@YEAR=NUMBER`)
}

function setUpAlready(names: readonly string[]) {
  const what = names.slice(0, 3).map((name) => `"${name}"`)
  return conflict(
    'replace',
    `this machine was set up by itself already (${what.join(', ')}), and a replacement begins with an empty one. If that ` +
      'is not needed: sudo systemctl stop fiskd; sudo mv /var/lib/fiskd /var/lib/fiskd.unused; sudo apt install --reinstall ' +
      'fiskd; then a new token (fisk gateway add NAME --again) and sudo fisk replace',
  )
}

function nothingThere() {
  return conflict(
    'replace',
    'the central server tells no device of this gateway that has sold, so there is nothing to replace. It is enrolled now; ' +
      'set it up as a new machine: sudo fisk init',
  )
}

/** More than a machine sells in a day. */
const DAILY = 1000n
/** More than restores may have skipped on the old card that the server was not told: `MOST_SKIPPED_UNTOLD`. */
export const FOR_RESTORES = 10_000n
/** The rest is for sales on the old card after it was replaced, when restores have skipped all that they may. */
export const MOST_SKIPPED_UNTOLD = FOR_RESTORES - DAILY

/** How many numbers are skipped wherever none is stated. */
export interface ReplacementGap {
  count: bigint
  /** The started days that it covers; null where it was stated, or is unknown. */
  days: number | null
}

/**
 * The gap above what the server has seen: for what the old machine may have sold without telling it since `heardAt` (by
 * the server's clock, as `now`; null when unknown), and for restores. No more than the server follows.
 */
function gapSince(heardAt: EpochMs | null, now: EpochMs): ReplacementGap {
  if (heardAt === null) return { count: REACH, days: null }
  const days = Math.max(1, Math.ceil((now - heardAt) / DAY_MS))
  const count = BigInt(days) * DAILY + FOR_RESTORES
  return { count: count < REACH ? count : REACH, days }
}

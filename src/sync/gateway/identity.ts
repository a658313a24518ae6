import { conflict, FiskError } from '../../domain/errors.ts'
import type { KnownIdentity, Predecessor } from '../../fiscal/ports/central-server.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import { type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'
import type { SeenNumber } from '../../fiscal/ports/rows/numbering.ts'
import { SYNC_ANSWER_BOUNDS, SYNC_BOUNDS } from '../wire/bounds.ts'
import { checkOf } from '../wire/check-value.ts'
import { type IdentityRequest, IdentityResponse, PredecessorSchema } from '../wire/identity.ts'
import type { EnrollResponse } from '../wire/messages.ts'
import { decodePlace } from '../wire/numbers.ts'
import { decodeRecord } from '../wire/records.ts'
import { SyncFailure } from './failure.ts'
import { askNumbers, type HandshakeDeps } from './handshake.ts'
import { tellSkipped } from './tell-skipped.ts'

export type IdentityDeps = Pick<HandshakeDeps, 'store' | 'connection' | 'program'>

/** Key in the keep: what the server knew at the enrolment of the machine before. */
const BEFORE = 'sync_before'

const checkIdentity = checkOf(IdentityResponse)
const checkBefore = checkOf(PredecessorSchema)

/** Keeps what the server said with the enrolment: soon it knows only of this machine. */
export async function keepPredecessor(keep: KeptFacts, before: EnrollResponse['before']): Promise<void> {
  await keep.put(BEFORE, Buffer.from(JSON.stringify(before)))
}

/** Null where nothing was kept. */
export async function keptPredecessor(keep: KeptFacts): Promise<Predecessor | null> {
  const kept = await keep.get(BEFORE)
  const checked = kept && checkBefore(JSON.parse(kept.toString('utf8')))
  if (!checked || !('value' in checked)) return null
  const { last_seen_at: lastSeenAt, restored_at: restoredAt, printers } = checked.value
  return {
    lastSeenAt,
    restoredAt,
    printers: printers.map(({ device_id, line, profile, settings, expire_after_s }) => ({
      deviceId: device_id,
      line,
      profile,
      settings,
      expireAfterS: expire_after_s,
    })),
  }
}

/** What this gateway was before, and which premises are still its own. @throws FiskError that says what to do */
export async function askIdentity(deps: IdentityDeps, signal: AbortSignal): Promise<KnownIdentity> {
  const enrolment = await deps.store.enrolment.get()
  if (!enrolment?.gatewayId) throw conflict('gateway', 'this gateway is not enrolled at a central server')
  return explaining(async () => {
    const identity = await readPages(deps, signal)
    return { ...identity, ...(await claimed(deps, enrolment, identity.devices, signal)) }
  })
}

type Rows = Omit<KnownIdentity, 'taken' | 'numbers'>

/** @throws SyncFailure also for pages without an end */
export async function readPages({ connection }: Pick<IdentityDeps, 'connection'>, signal: AbortSignal): Promise<Rows> {
  const found: Rows = { companies: [], devices: [], certificates: [], withoutJir: 0 }
  let after: IdentityRequest['after'] = null
  for (let page = 0; page < SYNC_ANSWER_BOUNDS.identityPages.most; page++) {
    const answer: IdentityResponse = await connection.ask({
      path: '/identity',
      body: { json: JSON.stringify({ after }) },
      signal,
      check: checkIdentity,
    })
    for (const wire of answer.records) {
      const decoded = decodeRecord({ ...wire, row: wire.row })
      if ('refusal' in decoded) throw notUnderstood(decoded.refusal.message)
      const { record } = decoded
      if (record.kind === 'company') found.companies.push(record.row)
      else if (record.kind === 'device') found.devices.push(record.row)
    }
    for (const { company_id, subject_cn, issuer, serial, not_after } of answer.certificates) {
      const certificate = { subjectCn: subject_cn, issuer, serial, notAfter: not_after }
      found.certificates.push({ companyId: company_id, ...certificate })
    }
    found.withoutJir = answer.without_jir
    if (answer.next === null) return found
    after = answer.next
  }
  throw notUnderstood('it has no end')
}

const notUnderstood = (why: string) =>
  new SyncFailure('not_understood', `what the server says of this gateway is not understood: ${why}`, { status: 200 })

/** Says hello with the premises, so that the server gives this gateway the free ones and signs the numbers of all. */
async function claimed(
  deps: IdentityDeps,
  enrolment: Enrolment,
  devices: readonly Premises[],
  signal: AbortSignal,
): Promise<Pick<KnownIdentity, 'taken' | 'numbers'>> {
  const premises = [...new Map(devices.map((one) => [premisesKey(one), toPremises(one)])).values()]
  const taken: KnownIdentity['taken'] = []
  let numbers: readonly SeenNumber[] = []
  for (let start = 0; start === 0 || start < premises.length; start += SYNC_BOUNDS.namedPremises.most) {
    const slice = premises.slice(start, start + SYNC_BOUNDS.namedPremises.most)
    const said = await askNumbers(deps, enrolment, slice, signal)
    if (!said.isBelieved) {
      throw new FiskError('internal_error', 'the receipt numbers that the server tells are not signed by it')
    }
    taken.push(...said.answer.taken.map((one) => decodePlace(one)))
    numbers = said.numbers
  }
  return { taken, numbers }
}

/** Tells where the sequences of a replacement go on. @throws FiskError that says what to do */
export const skipAtServer = (...told: Parameters<typeof tellSkipped>): Promise<void> =>
  explaining(() => tellSkipped(...told))

const toPremises = ({ companyId, premisesCode }: Premises): Premises => ({ companyId, premisesCode })

async function explaining<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error
    throw conflict('server', `the central server could not be asked: ${error.message}; run again: sudo fisk replace`)
  }
}

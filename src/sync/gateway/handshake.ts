import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'
import { FARTHEST_HEARD, HIGHEST_COUNT, POSITIONS_DOUBTFUL } from '../../domain/sync-bounds.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import { type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import type { LostRecords, ToldMore } from '../../fiscal/ports/lost-records.ts'
import type { KeptNumber, SeenNumber } from '../../fiscal/ports/rows/numbering.ts'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'
import { checkOf } from '../wire/check-value.ts'
import { HelloResponse, PROTOCOL, type WireNumber } from '../wire/messages.ts'
import { areSigned, decodePlace } from '../wire/numbers.ts'
import type { CommandLog } from './commands.ts'
import type { Connection } from './connection.ts'
import { SyncFailure } from './failure.ts'

/**
 * Takes numbers out of use that the server has seen and we have not, in the transaction that is given.
 * @param isBelieved whether it is the server's own word; else nothing is learned
 * @returns what was learned, and what is to be kept: its company is not here, or it is doubtful
 */
export type LearnNumbers = (
  tx: StoreTransaction,
  seen: readonly SeenNumber[],
  now: EpochMs,
  isBelieved: boolean,
) => Promise<{ learned: readonly SeenNumber[]; kept: KeptNumber[] }>

export interface HandshakeDeps {
  store: Store
  connection: Pick<Connection, 'ask'>
  learn: LearnNumbers
  /** The server knows more than this database: told in the transaction that learns from it, before it does. */
  noteLost: LostRecords['note']
  /** Version of fiskd. */
  program: string
  now: () => EpochMs
  log: CommandLog
}

export const newNonce = () => randomBytes(32).toString('base64url')

const checkHello = checkOf(HelloResponse)

/** More than the premises of a gateway have; they are read with every look at the enrolment. */
const MOST_KEPT = 10_000

/** The server takes no more in one request. */
const MOST_PREMISES = 1000

/** What the server may call ours: where devices stand that are not archived. */
export async function premisesOf(store: Pick<Store, 'devices'>, tenantId: string): Promise<Premises[]> {
  const found = new Map<string, Premises>()
  const slice = { limit: 500 }
  for (let after: { at: EpochMs; id: string } | undefined; ; ) {
    const devices = await store.devices.list(
      { tenantId, mode: null, companyIds: null },
      { ...slice, ...(after && { after }) },
    )
    for (const { companyId, premisesCode, status } of devices) {
      if (status !== 'archived') found.set(premisesKey({ companyId, premisesCode }), { companyId, premisesCode })
    }
    const last = devices.at(-1)
    if (devices.length < slice.limit || !last) return [...found.values()].slice(0, MOST_PREMISES)
    after = { at: last.createdAt, id: last.id }
  }
}

export const wirePremises = (premises: readonly Premises[]) =>
  premises.map(({ companyId, premisesCode }) => ({ company_id: companyId, premises_code: premisesCode }))

/** Some premises and then all others, as many as the server takes. */
export async function premisesAfter(
  wanted: readonly Premises[],
  store: Pick<Store, 'devices'>,
  tenantId: string,
): Promise<Premises[]> {
  const all = [...wanted, ...(await premisesOf(store, tenantId))]
  return [...new Map(all.map((one) => [premisesKey(one), one])).values()].slice(0, MOST_PREMISES)
}

/** Whether the numbers in an answer are the word of the server: signed for this question. */
export function areBelievable(
  { numbers, numbers_signature: signature }: { numbers: readonly WireNumber[]; numbers_signature: string },
  { gatewayId, serverKey }: Pick<Enrolment, 'gatewayId' | 'serverKey'>,
  nonce: string,
): boolean {
  return serverKey !== null && areSigned({ gatewayId, nonce, numbers }, signature, serverKey)
}

/** Asks, and does nothing yet with the answer. @returns `isBelieved`: the server's own word @throws SyncFailure */
export async function askNumbers(
  { store, connection, program }: Pick<HandshakeDeps, 'store' | 'connection' | 'program'>,
  enrolment: Enrolment,
  premises: readonly Premises[],
  signal: AbortSignal,
) {
  const nonce = newNonce()
  const body = {
    protocol: PROTOCOL,
    program,
    last: await store.outbox.last(),
    last_command: enrolment.lastCommand,
    premises: wirePremises(premises),
    nonce,
  }
  const answer = await connection.ask({
    path: '/hello',
    body: { json: JSON.stringify(body) },
    signal,
    check: checkHello,
  })
  const isBelieved = areBelievable(answer, enrolment, nonce)
  return { answer, numbers: answer.numbers.map(decodePlace), isBelieved }
}

/**
 * The first word of a process, and what follows from the answer: numbers that are not ours to give out any more come
 * first of all, then where to go on.
 * @param wanted premises that are named before all others
 * @returns the premises that were named, whether the server's program is another one than last time, and the numbers that
 *   it has seen, as far as they are its own word
 * @throws SyncFailure
 */
export async function handshake(
  deps: HandshakeDeps,
  enrolment: Enrolment,
  signal: AbortSignal,
  wanted: readonly Premises[] = [],
) {
  const { store } = deps
  const last = await store.outbox.last()
  if (last >= HIGHEST_COUNT) throw positionsDoubtful(`the positions of the outbox are used up: the last one is ${last}`)
  const premises = await premisesAfter(wanted, store, enrolment.tenantId)
  const { answer, ...told } = await askNumbers(deps, enrolment, premises, signal)
  if (Math.max(answer.position, answer.heard) > last + FARTHEST_HEARD) {
    const said = `position ${answer.position}, heard ${answer.heard}`
    throw positionsDoubtful(
      `the server says that it has heard of positions far above the last one here, ${last}: ${said}`,
    )
  }
  const current = await store.transaction(async (tx) => {
    const found = await tx.enrolment.get()
    if (found?.gatewayId !== enrolment.gatewayId) return undefined
    // How far what the server has heard of lies above what this database may have told.
    const unknown = Math.max(0, Math.max(answer.position, answer.heard) - (found.tellAgainTo ?? found.pushed))
    if (unknown > 0) await noteUnknown(deps, tx, found, { changes: unknown, ...told })
    await keepNumbers(deps, tx, found, told)
    const from = await goOnFrom(tx, unknown, found, answer)
    await tx.enrolment.update({ ...from, name: answer.name, serverProgram: answer.program })
    return found
  })
  const seen = told.isBelieved ? told.numbers : []
  return { premises, isOtherProgram: current?.serverProgram !== answer.program, seen }
}

/** The gateway cannot push until it is enrolled again, which begins a new outbox on both sides. */
function positionsDoubtful(why: string): SyncFailure {
  return new SyncFailure(POSITIONS_DOUBTFUL, `${why}; leave the server and enrol again`, { status: 200 })
}

/** Raises the next receipt numbers above those that the server has seen, in the given transaction. */
export async function keepNumbers(
  { learn, now, log }: Pick<HandshakeDeps, 'learn' | 'now' | 'log'>,
  tx: StoreTransaction,
  enrolment: Pick<Enrolment, 'numbers'>,
  { numbers: seen, isBelieved }: { numbers: readonly SeenNumber[]; isBelieved: boolean },
): Promise<void> {
  const { learned, kept } = await learn(tx, seen, now(), isBelieved)
  if (learned.length > 0) {
    log.warn(
      { sequences: learned.length },
      'the central server has seen higher receipt numbers than this database knows of: none of them is given out again',
    )
  }
  // Numbers that were believed before are kept when the new ones cannot be believed to come from the server.
  const before = isBelieved ? [] : enrolment.numbers.filter(({ doubt }) => doubt === undefined)
  const numbers = [...before, ...kept.slice(0, MOST_KEPT)]
  if (JSON.stringify(numbers) === JSON.stringify(enrolment.numbers)) return
  await tx.enrolment.update({ numbers })
  const doubtful = numbers.filter(({ doubt }) => doubt !== undefined)
  if (doubtful.length === 0) return
  log.warn(
    { sequences: doubtful.length },
    'the central server tells receipt numbers that are not believed: fisk sync confirm-numbers lists them',
  )
}

async function noteUnknown(
  { noteLost, log }: Pick<HandshakeDeps, 'noteLost' | 'log'>,
  tx: StoreTransaction,
  enrolment: Enrolment,
  told: ToldMore,
): Promise<void> {
  const twice = await noteLost(tx, enrolment, told)
  const facts = { changes: told.changes, pushed: enrolment.pushed, givenTwice: twice ?? [] }
  log.warn(
    facts,
    twice === null
      ? 'the central server has heard more than this database knows of: everything is told again'
      : 'this database has lost what was told to the central server: the memory card did not keep it, or is an old copy',
  )
}

/**
 * Where to go on. A server that has heard of positions which this database never told it knows another history: of a card
 * that was swapped, or of the time after the backup that was restored here. Then every row goes behind those positions.
 * What others rest on travels ahead of its turn: what was heard may lie far behind the position.
 */
async function goOnFrom(
  tx: Pick<StoreTransaction, 'outbox'>,
  unknown: number,
  { tellAgainTo }: Enrolment,
  { position, heard }: Pick<HelloResponse, 'position' | 'heard'>,
) {
  if (unknown === 0) return { position, tellAgainTo }
  const barrier = Math.max(position, heard, await tx.outbox.last())
  await tx.outbox.goBeyond(barrier)
  return { position, tellAgainTo: barrier }
}

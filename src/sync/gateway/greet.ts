import type { EpochMs } from '../../domain/instant.ts'
import type { Store, StoreTransaction } from '../../fiscal/store-port.ts'
import type { Enrolment, Premises, SeenNumber } from '../../fiscal/sync-port.ts'
import { checkOf } from '../wire/check.ts'
import { HelloResponse, PROTOCOL } from '../wire/messages.ts'
import { decodeNumber } from '../wire/numbers.ts'
import type { CommandLog } from './commands.ts'
import type { Connection } from './connection.ts'

/**
 * Takes numbers out of use that the server has seen and we have not, in the transaction that is given.
 * @returns how many sequences it was, and what cannot be kept yet because its company is not here
 */
export type LearnNumbers = (
  tx: StoreTransaction,
  seen: readonly SeenNumber[],
  now: EpochMs,
) => Promise<{ learned: readonly SeenNumber[]; homeless: SeenNumber[] }>

export interface GreetingDeps {
  store: Store
  connection: Pick<Connection, 'ask'>
  learn: LearnNumbers
  /** Version of fiskd. */
  program: string
  now: () => EpochMs
  log: CommandLog
}

const checkHello = checkOf(HelloResponse)

export const keyOf = ({ companyId, premisesCode }: Premises) => `${companyId}/${premisesCode}`

/** The server takes no more in one request. */
const MOST_PREMISES = 1000

/** What the server may call ours: where devices stand that are not archived. */
export async function premisesOf(store: Pick<Store, 'devices'>, tenantId: string): Promise<Premises[]> {
  const found = new Map<string, Premises>()
  const slice = { limit: 500 }
  for (let after: { at: EpochMs; id: string } | undefined; ; ) {
    const devices = await store.devices.list({ tenantId, mode: null }, { ...slice, ...(after && { after }) })
    for (const { companyId, premisesCode, status } of devices) {
      if (status !== 'archived') found.set(keyOf({ companyId, premisesCode }), { companyId, premisesCode })
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
  return [...new Map(all.map((one) => [keyOf(one), one])).values()].slice(0, MOST_PREMISES)
}

/** Says hello, without anything following from it. @throws SyncFailure */
export async function askNumbers(
  { store, connection, program }: Pick<GreetingDeps, 'store' | 'connection' | 'program'>,
  { lastCommand }: Enrolment,
  premises: readonly Premises[],
  signal: AbortSignal,
) {
  const body = {
    ...{ protocol: PROTOCOL, program, last: await store.outbox.last(), last_command: lastCommand },
    premises: wirePremises(premises),
  }
  const answer = await connection.ask<HelloResponse>({
    ...{ method: 'POST', path: '/hello', body: { json: JSON.stringify(body) }, signal },
    check: checkHello as never,
  })
  return { answer, numbers: answer.numbers.map(decodeNumber) }
}

/**
 * The first word of a process, and what follows from the answer: numbers that are not ours to give out any more come
 * first of all, then where to go on.
 * @param wanted premises that are named before all others
 * @returns the premises that were named, and whether the server's program is another one than last time
 * @throws SyncFailure
 */
export async function greet(
  deps: GreetingDeps,
  enrolment: Enrolment,
  signal: AbortSignal,
  wanted: readonly Premises[] = [],
) {
  const { store } = deps
  const premises = await premisesAfter(wanted, store, enrolment.tenantId)
  const { answer, numbers: seen } = await askNumbers(deps, enrolment, premises, signal)
  const current = await store.transaction(async (tx) => {
    const found = await tx.enrolment.get()
    if (found?.gatewayId !== enrolment.gatewayId) return undefined
    await keepNumbers(deps, tx, found, seen)
    const from = await goOnFrom(tx, found, answer)
    if (from.tellAgainTo !== null && found.tellAgainTo === null) {
      deps.log.warn(
        { mark: answer.mark, heard: answer.heard, pushed: found.pushed },
        'the central server has heard more than this database knows of: everything is told again',
      )
    }
    await tx.enrolment.update({ ...from, name: answer.name, serverProgram: answer.program })
    return found
  })
  return { premises, isOtherProgram: current?.serverProgram !== answer.program }
}

/** Above what the server has seen, in the transaction that is given. */
export async function keepNumbers(
  { learn, now, log }: Pick<GreetingDeps, 'learn' | 'now' | 'log'>,
  tx: StoreTransaction,
  enrolment: Pick<Enrolment, 'numbers'>,
  seen: readonly SeenNumber[],
): Promise<void> {
  const { learned, homeless } = await learn(tx, seen, now())
  if (learned.length > 0) {
    log.warn(
      { sequences: learned.length },
      'the central server has seen higher receipt numbers than this database knows of: none of them is given out again',
    )
  }
  const isSame = JSON.stringify(homeless) === JSON.stringify(enrolment.numbers)
  if (!isSame) await tx.enrolment.update({ numbers: homeless })
}

/**
 * Where to go on. A server that has heard of places which this database never told it knows another history: of a card
 * that was swapped, or of the time after the backup that was restored here. Then every row goes behind those places.
 * What others rest on travels ahead of its turn: what was heard may lie far behind the mark.
 */
async function goOnFrom(
  tx: StoreTransaction,
  { pushed, tellAgainTo }: Enrolment,
  { mark, heard }: Pick<HelloResponse, 'mark' | 'heard'>,
) {
  const highest = Math.max(mark, heard)
  const isKnown = highest <= (tellAgainTo ?? pushed)
  if (isKnown) return { position: mark, tellAgainTo }
  const barrier = Math.max(highest, await tx.outbox.last())
  await tx.outbox.goBeyond(barrier)
  return { position: mark, tellAgainTo: barrier }
}

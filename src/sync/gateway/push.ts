import type { EpochMs } from '../../domain/instant.ts'
import type { Enrolment, Refusal } from '../../fiscal/ports/enrolment.ts'
import { type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { checkOf } from '../wire/check-value.ts'
import { PushResponse } from '../wire/messages.ts'
import { type Batch, bodyOf, MOST_BYTES, nextBatch } from './batch.ts'
import type { CommandLog } from './commands.ts'
import type { Connection, Throttle } from './connection.ts'
import { SyncFailure, stateOf } from './failure.ts'

export interface PushDeps {
  store: Pick<Store, 'outbox' | 'transaction'>
  connection: Pick<Connection, 'ask'>
  quiet: () => Promise<void>
  throttle: Throttle
  now: () => EpochMs
  log: CommandLog
  onConflicts: (conflicts: PushResponse['conflicts']) => void
}

/** `idle`: nothing has changed. `greet`: the server must first hear of premises that are new. */
export type PushOutcome = 'idle' | 'greet' | 'moved' | 'stuck'

const FIRST_ROWS = 50
const MOST_ROWS = 500
/** How often a record may make the server fail before the others are pushed without it. */
const STRIKES = 3
const PUSH_MS = 60_000
/** The most log lines about refused records. */
const LINES = 20

const checkPushed = checkOf(PushResponse)

export function createPusher(deps: PushDeps) {
  const { store, connection, quiet, throttle, now, log } = deps
  let rows = FIRST_ROWS
  let unnamed: readonly Premises[] = []
  let suspect = { row: '', strikes: 0 }

  const send = (json: string, signal: AbortSignal) =>
    connection.ask({
      path: '/push',
      body: { json },
      timeoutMs: PUSH_MS,
      signal,
      check: checkPushed,
    })

  /** Stores the versions before they are sent: a restored older database is recognized because it lacks versions. */
  async function note(enrolment: Enrolment, batch: Batch): Promise<boolean> {
    if (batch.position <= enrolment.pushed && batch.rows.every(({ version }) => version <= enrolment.pushed))
      return true
    return store.transaction(async (tx) => {
      if ((await tx.enrolment.get())?.gatewayId !== enrolment.gatewayId) return false
      await tx.enrolment.update({ pushed: await tx.outbox.last() })
      return true
    })
  }

  /** @returns whether the server has more than before */
  async function storeAnswer(
    enrolment: Enrolment,
    batch: Batch,
    { position, refused }: Pick<PushResponse, 'position' | 'refused'>,
  ) {
    const at = now()
    const sent = new Map(batch.rows.map((row) => [`${row.kind} ${row.id}`, row]))
    const believed = refused.flatMap(({ kind, id, code, message }): Refusal[] => {
      const row = sent.get(`${kind} ${id}`)
      sent.delete(`${kind} ${id}`)
      return row ? [{ ...row, code: code.slice(0, 60), message: message.slice(0, 500), refusedAt: at }] : []
    })
    const isTaken = position >= batch.position
    await store.transaction(async (tx) => {
      if ((await tx.enrolment.get())?.gatewayId !== enrolment.gatewayId) return
      await tx.enrolment.update({ position: Math.min(position, batch.position), ...(isTaken && { toldAt: at }) })
      if (!isTaken) return
      await tx.enrolment.refusals.remove([...sent.values()])
      await tx.enrolment.refusals.put(believed)
    })
    if (isTaken) tell(believed)
    return position > batch.after
  }

  function tell(refused: readonly Refusal[]): void {
    for (const { kind, id, code } of refused.slice(0, LINES)) {
      log.warn({ kind, id, code }, 'the central server has refused a record; it is set aside and the others go on')
    }
    if (refused.length > LINES) log.warn({ refused: refused.length }, 'and more: fisk sync status')
  }

  /** Sets aside a record that alone makes the server fail, while the server accepts a push without records. */
  async function setAside(enrolment: Enrolment, batch: Batch, { code, message }: SyncFailure, signal: AbortSignal) {
    const [entry] = batch.entries
    const { position } = await send(bodyOf(batch, []), signal)
    if (!entry) return false
    const { kind, id, position: version } = entry
    return storeAnswer(
      enrolment,
      { ...batch, rows: [{ kind, id, version }] },
      {
        position,
        refused: [{ kind, id, version, code, message }],
      },
    )
  }

  async function afterFailure(enrolment: Enrolment, batch: Batch, failure: SyncFailure, signal: AbortSignal) {
    const state = stateOf(failure)
    if (state !== undefined && state !== 'unreachable') throw failure
    const wasAlone = batch.entries.length === 1
    rows = Math.max(1, Math.floor(batch.entries.length / 2))
    // 503 is about the server: its database is away, say.
    const isOfRecord = [400, 413].includes(failure.status ?? 0) || (failure.status ?? 0) >= 500
    if (!wasAlone || !isOfRecord || failure.status === 503) throw failure
    const [entry] = batch.entries
    const row = `${entry?.kind} ${entry?.id}`
    suspect = { row, strikes: suspect.row === row ? suspect.strikes + 1 : 1 }
    if (suspect.strikes < STRIKES || !(await setAside(enrolment, batch, failure, signal))) throw failure
    suspect = { row: '', strikes: 0 }
  }

  return {
    /** How many rows the next batch may have. */
    rows: (): number => rows,
    /** What `greet` was about: these are to be named first. */
    unnamed: (): readonly Premises[] => unnamed,
    /** @param greeted the premises that the server has heard of @throws SyncFailure; Error of the database */
    async push(enrolment: Enrolment, greeted: ReadonlySet<string>, signal: AbortSignal): Promise<PushOutcome> {
      const bytes = Math.min(MOST_BYTES, (throttle.mostBytes ?? MOST_BYTES) * SHRINKS_BY)
      const batch = await nextBatch({ store, quiet }, enrolment, { rows, bytes })
      if (!batch) return 'idle'
      unnamed = batch.premises.filter((one) => !greeted.has(premisesKey(one)))
      if (unnamed.length > 0) return 'greet'
      if (!(await note(enrolment, batch))) return 'idle'
      let answer: PushResponse
      // Compression uses a processor core, although not the event loop.
      await quiet()
      try {
        answer = await send(batch.json, signal)
      } catch (error) {
        if (!(error instanceof SyncFailure)) throw error
        await afterFailure(enrolment, batch, error, signal)
        return 'moved'
      }
      if (answer.conflicts.length > 0) deps.onConflicts(answer.conflicts)
      const hasMoved = await storeAnswer(enrolment, batch, answer)
      if (hasMoved && batch.entries.length >= rows) rows = Math.min(MOST_ROWS, rows * 2)
      return hasMoved ? 'moved' : 'stuck'
    },
  }
}

/** What gzip makes of rows, at least. */
const SHRINKS_BY = 4

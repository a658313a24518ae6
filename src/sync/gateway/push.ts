import type { EpochMs } from '../../domain/instant.ts'
import type { Enrolment, Refusal } from '../../fiscal/ports/enrolment.ts'
import { type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { checkOf } from '../wire/check-value.ts'
import { PushResponse } from '../wire/messages.ts'
import { type Batch, bodyOf, type Held, keyOf, MOST_BYTES, nextBatch } from './batch.ts'
import type { CommandLog } from './commands.ts'
import type { Connection, Throttle } from './connection.ts'
import { backoffMs, SyncFailure, stateOf } from './failure.ts'

export interface PushDeps {
  store: Pick<Store, 'enrolment' | 'outbox' | 'transaction'>
  connection: Pick<Connection, 'ask'>
  quiet: () => Promise<void>
  throttle: Throttle
  now: () => EpochMs
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  random?: (() => number) | undefined
  log: CommandLog
  onConflicts: (conflicts: PushResponse['conflicts']) => void
}

/** `idle`: nothing has changed. `greet`: the server must first hear of premises that are new. */
export type PushOutcome = 'idle' | 'greet' | 'moved' | 'stuck'

const FIRST_ROWS = 50
const MOST_ROWS = 500
/** How often a record alone makes the server fail before the others are told ahead of it. */
const STRIKES = 3
const PUSH_MS = 60_000
/** Rows that are remembered as told ahead of their turn. */
const MOST_EARLY = 5000
/** The most log lines about refused records. */
const LINES = 20

/** The next record, and alone it makes the server fail. Whether that is about the record, only another one can show. */
interface Suspect extends Held {
  /** The position that the server has. */
  after: number
  strikes: number
  /** The others are told until then, by `elapsed`, and in any case once after each of its failures. */
  restsUntil: number
  isTurnOfOthers: boolean
  /** How many of the others the next batch may have. */
  rows: number
  wasAside: boolean
  /** Since its last failure the server has taken another one of its kind; or any other one, if it was set aside before. */
  isProven: boolean
}

const checkPushed = checkOf(PushResponse)

export function createPusher(deps: PushDeps) {
  const { store, connection, quiet, throttle, now, elapsed, random, log } = deps
  let rows = FIRST_ROWS
  let unnamed: readonly Premises[] = []
  let suspect: Suspect | undefined
  /** What the server has before its turn, at its version: that it takes this once more proves nothing. */
  const early = new Set<string>()

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
    const sent = new Map<string, Batch['rows'][number]>(batch.rows.map((row) => [keyOf(row), row]))
    const believed = refused.flatMap(({ code, message, ...key }): Refusal[] => {
      const row = sent.get(keyOf(key))
      sent.delete(keyOf(key))
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
      log.warn({ kind, id, code }, 'the central server has not taken a record; it is set aside and the others go on')
    }
    if (refused.length > LINES) log.warn({ refused: refused.length }, 'and more: fisk sync status')
  }

  /** The server must know that the place is passed, or it would ask for it. */
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

  /** Sets the next record aside, or @throws the failure, after which the next push may be another one. */
  async function afterFailure(
    enrolment: Enrolment,
    { batch, held }: { batch: Batch; held: Suspect | undefined },
    failure: SyncFailure,
    signal: AbortSignal,
  ) {
    const state = stateOf(failure)
    if (state !== undefined && state !== 'unreachable') throw failure
    const [entry] = batch.entries
    const fewer = Math.max(1, Math.floor(batch.entries.length / 2))
    // 503 is about the server: its database is away, say.
    const isOfRecord = [400, 413].includes(failure.status ?? 0) || (failure.status ?? 0) >= 500
    const isSuspicious = batch.entries.length === 1 && isOfRecord && failure.status !== 503
    const proven = suspect?.isProven ? keyOf(suspect) : undefined
    if (suspect) suspect.isProven = false
    if (held) {
      // The server fails at others, too, and one that it fails at is left out until its turn comes.
      Object.assign(held, {
        restsUntil: 0,
        isTurnOfOthers: false,
        rows: fewer,
        ...(isSuspicious && { ahead: entry?.position }),
      })
      throw failure
    }
    rows = fewer
    if (!isSuspicious || !entry) throw failure
    if (suspect === undefined || keyOf(suspect) !== keyOf(entry)) {
      const wasAside = await store.enrolment.refusals.has(entry)
      const others = { ahead: entry.position, rows: 1, restsUntil: 0, isTurnOfOthers: false }
      suspect = { ...entry, ...others, wasAside, after: enrolment.position, strikes: 0, isProven: false }
    }
    if (proven === keyOf(entry) && (await setAside(enrolment, batch, failure, signal))) return
    suspect.strikes++
    if (suspect.strikes >= STRIKES) {
      suspect.restsUntil = elapsed() + backoffMs(suspect.strikes, failure, random)
      suspect.isTurnOfOthers = true
    }
    throw failure
  }

  function tookAhead(held: Suspect, batch: Batch, { refused }: PushResponse): void {
    const not = new Set(refused.map(keyOf))
    held.ahead = batch.entries.at(-1)?.position ?? held.ahead
    held.isTurnOfOthers = false
    held.rows = Math.min(MOST_ROWS, held.rows * 2)
    const isProof = (row: Batch['rows'][number]) =>
      (held.wasAside || row.kind === held.kind) && !not.has(keyOf(row)) && !early.has(versionOf(row))
    if (batch.rows.some(isProof)) Object.assign(held, { isProven: true, restsUntil: 0 })
  }

  return {
    /** How many rows the next batch may have. */
    rows: (): number => rows,
    /** What `greet` was about: these are to be named first. */
    unnamed: (): readonly Premises[] => unnamed,
    /** No record rests. */
    hurry(): void {
      if (suspect) suspect.restsUntil = 0
    },
    /** @param greeted the premises that the server has heard of @throws SyncFailure; Error of the database */
    async push(enrolment: Enrolment, greeted: ReadonlySet<string>, signal: AbortSignal): Promise<PushOutcome> {
      const bytes = Math.min(MOST_BYTES, (throttle.mostBytes ?? MOST_BYTES) * SHRINKS_BY)
      if (suspect?.after !== enrolment.position) suspect = undefined
      const held = suspect && (suspect.isTurnOfOthers || elapsed() < suspect.restsUntil) ? suspect : undefined
      const batch = await nextBatch({ store, quiet }, enrolment, { rows: held?.rows ?? rows, bytes, held })
      if (held && !batch) held.isTurnOfOthers = false
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
        await afterFailure(enrolment, { batch, held }, error, signal)
        return 'moved'
      }
      if (answer.conflicts.length > 0) deps.onConflicts(answer.conflicts)
      const hasMoved = await storeAnswer(enrolment, batch, answer)
      if (held && answer.position >= batch.position) tookAhead(held, batch, answer)
      if (early.size > MOST_EARLY) early.clear()
      for (const row of batch.rows) if (row.version > batch.position) early.add(versionOf(row))
      if (held && answer.position >= batch.position) return 'moved'
      if (hasMoved && batch.entries.length >= rows) rows = Math.min(MOST_ROWS, rows * 2)
      return hasMoved ? 'moved' : 'stuck'
    },
  }
}

const versionOf = (row: Batch['rows'][number]) => `${keyOf(row)} ${row.version}`

/** What gzip makes of rows, at least. */
const SHRINKS_BY = 4

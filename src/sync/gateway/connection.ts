import { setTimeout as delay } from 'node:timers/promises'
import type { Static, TSchema } from 'typebox'
import type { EpochMs } from '../../domain/instant.ts'
import type { LinkState, SyncState } from '../../fiscal/ports/central-server.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { Check } from '../wire/check-value.ts'
import { SESSION_HEADER } from '../wire/messages.ts'
import type { CommandLog } from './commands.ts'
import { SyncFailure, stateOf } from './failure.ts'
import { unseal } from './secrets.ts'
import { type Ask, createTransport, type Transport } from './transport.ts'

export type ServerState = Pick<LinkState, 'name' | 'since' | 'clockAheadMs' | 'lastError'>

export interface ConnectionDeps {
  store: Pick<Store, 'enrolment'>
  vault: Vault
  /** Of this process: a UUID. */
  session: string
  /** The server has moved; null for the address of the enrolment. */
  url: string | null
  throttle: Throttle
  now: () => EpochMs
  log: CommandLog
  connectMs?: number | undefined
  /** How a server is reached; over the network when left out. */
  transportTo?: typeof createTransport
}

export type Connection = ReturnType<typeof createConnection>

const POLL = '/poll'

export class NotEnrolled extends Error {}

export function createConnection(deps: ConnectionDeps) {
  const { store, vault, session, throttle, now, log, transportTo = createTransport } = deps
  let open: { transport: Transport; credential: string } | undefined
  const begun = (): ServerState => ({ name: 'connecting', since: now(), clockAheadMs: null, lastError: null })
  let state = begun()
  let failures = 0

  function become(name: SyncState, tell: () => void): void {
    if (state.name === name) return
    state = { ...state, name, since: now() }
    tell()
  }

  function heard(): void {
    state = { ...state, lastError: null }
    become('connected', () => log.info({}, 'the central server is reached'))
  }

  function failed(error: SyncFailure): void {
    failures++
    state = { ...state, lastError: { at: now(), code: error.code, message: error.message } }
    const name = stateOf(error)
    if (name) become(name, () => log.warn({ code: error.code }, `${SAID[name]}: ${error.message}`))
  }

  function credentialIn(sealed: Pick<Enrolment, 'sealedCredential' | 'sealedKey'>): string {
    try {
      return unseal(vault, sealed).credential
    } catch (cause) {
      const why = 'the secrets of the enrolment were sealed with a vault key that is not here any more'
      const failure = new SyncFailure('enrolment_unreadable', why, { cause })
      failed(failure)
      throw failure
    }
  }

  function reach({ url, caPem, sealedCredential, sealedKey }: Enrolment) {
    const credential = credentialIn({ sealedCredential, sealedKey })
    const transport = transportTo({
      url: deps.url ?? url,
      caPem,
      onSending: throttle.note,
      onDate: (at) => {
        state = { ...state, clockAheadMs: at - now() }
      },
      ...(deps.connectMs !== undefined && { connectMs: deps.connectMs }),
    })
    return { transport, credential }
  }

  /** One request as this gateway. @param send by the transport, with the headers that say who we are */
  async function exchange<R>(
    { path, signal }: Ask,
    send: (transport: Transport, identity: Required<Pick<Ask, 'headers'>>) => Promise<R>,
  ): Promise<R> {
    if (!open) {
      const enrolment = await store.enrolment.get()
      if (!enrolment?.gatewayId) throw new NotEnrolled('this gateway is not enrolled at a server')
      open ??= reach(enrolment)
    }
    const { transport, credential } = open
    if (path === POLL) await delay(throttle.untilPollMs(), undefined, signal ? { signal } : {})
    const failedBefore = failures
    try {
      const identity = { authorization: `Bearer ${credential}`, [SESSION_HEADER]: session }
      const answer = await send(transport, { headers: identity })
      // What was asked before the latest failure says nothing of the server since.
      if (failures === failedBefore) heard()
      return answer
    } catch (error) {
      if (error instanceof SyncFailure && !signal?.aborted && open?.transport === transport) failed(error)
      throw error
    }
  }

  return {
    /** @throws SyncFailure, also when the vault key is not the one of the enrolment; NotEnrolled */
    ask: <T extends TSchema>(ask: Ask & { check: Check<T> }): Promise<Static<T>> =>
      exchange(ask, (transport, identity) => transport.ask({ ...ask, ...identity })),
    /** What is answered with nothing but that it is taken. @throws as `ask` */
    tell: (ask: Ask): Promise<void> =>
      exchange(ask, async (transport, identity) => {
        await transport.text({ ...ask, ...identity })
      }),
    state: () => state,
    /** The next request begins anew: the enrolment is another one. */
    async reset(): Promise<void> {
      const { transport } = open ?? {}
      open = undefined
      state = begun()
      await transport?.close()
    },
    async close(): Promise<void> {
      await open?.transport.close()
    },
  }
}

const SAID: Record<SyncState, string> = {
  connecting: 'the central server is not asked yet',
  connected: 'the central server is reached',
  unreachable: 'the central server is not reached; sales go on, and it is told later',
  revoked: 'the central server does not take this gateway',
  duplicated: 'two machines tell the central server that they are this gateway',
  replaced: 'the central server hears another process of this gateway',
  incompatible: 'the central server speaks another version of the sync protocol',
  unreadable: 'the central server cannot be asked',
}

/** A request may take the line for so long. */
const REQUEST_S = 10
/** TCP, TLS and HTTP around a body. */
const AROUND = 600
/** What a poll with its heartbeat and answer amounts to. */
const POLL_BYTES = 2000

/** Keeps what is sent at a rate, on average: a metered link may not be filled. */
export type Throttle = ReturnType<typeof createThrottle>

/** @param kbps kilobits per second; null for no limit @param elapsed milliseconds that have passed */
export function createThrottle(kbps: number | null, elapsed: () => number) {
  let freeAt = 0
  let nextPollAt = 0
  return {
    /** So many bytes go out. */
    note(bytes: number): void {
      if (kbps === null) return
      freeAt = Math.max(freeAt, elapsed()) + ((bytes + AROUND) * 8) / kbps
    },
    /** How long nothing more may be sent, milliseconds. */
    debtMs: (): number => Math.max(0, freeAt - elapsed()),
    /** How much one request may send, so that none takes the line for long; null without a limit. */
    mostBytes: kbps === null ? null : kbps * 125 * REQUEST_S,
    /** How long the next poll should wait, so that polls take no more than a tenth, milliseconds. */
    untilPollMs(): number {
      if (kbps === null) return 0
      const wait = Math.max(0, nextPollAt - elapsed())
      nextPollAt = elapsed() + wait + (POLL_BYTES * 8 * 10) / kbps
      return wait
    },
  }
}

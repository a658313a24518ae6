import type { RequestListener } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { SyncFailure } from '../../../src/sync/gateway/failure.ts'
import { readPages } from '../../../src/sync/gateway/identity.ts'
import { judgeCommand } from '../../../src/sync/gateway/judge-command.ts'
import { createPolling, type PollingDeps } from '../../../src/sync/gateway/poll.ts'
import { createTransport } from '../../../src/sync/gateway/transport.ts'
import { SYNC_ANSWER_BOUNDS } from '../../../src/sync/wire/bounds.ts'
import { checkOf } from '../../../src/sync/wire/check-value.ts'
import type { SignedCommand } from '../../../src/sync/wire/commands.ts'
import { IdentityResponse } from '../../../src/sync/wire/identity.ts'
import { HelloResponse, PollResponse } from '../../../src/sync/wire/messages.ts'
import { tlsServer } from '../../cis/support/tls-server.ts'
import { type Bring, TAKEN, testBounds } from '../../support/bounds.ts'
import { commandOf, commandServer, GATEWAY_ID, NOW } from '../../support/commands.ts'
import { pki } from '../../support/pki.ts'
import { greeted } from './support/greeted.ts'

const x = (count: number) => 'x'.repeat(count)
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** What a gateway makes of an answer: its text, or the failure. */
async function asked(listener: RequestListener): Promise<string | SyncFailure> {
  const { url } = await tlsServer(listener)
  const transport = createTransport({ url, caPem: pki.bundlePem })
  onTestFinished(() => transport.close())
  return transport.text({ method: 'GET', path: '/ca' }).catch((error: SyncFailure) => error)
}

async function refusedWith(error: object, headers = {}): Promise<SyncFailure> {
  const failure = await asked((_, response) => response.writeHead(400, headers).end(JSON.stringify({ error })))
  if (failure instanceof SyncFailure) return failure
  throw new Error(failure)
}

const HELLO = {
  ...{
    gateway_id: GATEWAY_ID,
    name: 'kiosk',
    server_id: GATEWAY_ID,
    protocol: 1,
    program: '1.0.0',
    position: 0,
    heard: 0,
  },
  numbers: [],
  numbers_signature: 'x',
  taken: [],
  reported: null,
}
const NUMBER = {
  ...{ company_id: GATEWAY_ID, mode: 'test', premises_code: 'P1', year: 2026, register: '', highest: '1', level: null },
}
const IDENTITY = { records: [], certificates: [], without_jir: 0, next: null }
const RECORD = { kind: 'device', version: 1, row: {} }
const understoodIf = (outcome: object) => ('value' in outcome ? TAKEN : 'the answer is not_understood')
const [checkHello, checkPoll] = [checkOf(HelloResponse), checkOf(PollResponse)]
const checkIdentity = checkOf(IdentityResponse)

const server = commandServer()
function judged(signed: SignedCommand): string {
  const judgement = judgeCommand(signed, { gatewayId: GATEWAY_ID, serverKey: server.key, lastCommand: 0 }, NOW)
  return judgement.verdict === 'refused' ? `refused: ${judgement.code}` : TAKEN
}

const cases: Record<keyof typeof SYNC_ANSWER_BOUNDS, Bring> = {
  async answer(bytes) {
    const answer = await asked((_, response) => {
      response.write(x(bytes - 1))
      response.end('x')
    })
    if (answer instanceof SyncFailure) return `the server is ${answer.code}`
    return answer.length === bytes ? TAKEN : 'cut'
  },
  async errorCode(length) {
    const { code } = await refusedWith({ code: x(length), message: 'x' })
    if (code === 'http_400') return 'known by its HTTP status alone'
    return code === x(length) ? TAKEN : code
  },
  async errorMessage(length) {
    const { message } = await refusedWith({ code: 'x', message: x(length) })
    return message === x(length) ? TAKEN : 'cut'
  },
  async retryAfter(digits) {
    const seconds = '1'.repeat(digits)
    const { retryAfterMs } = await refusedWith({ code: 'x', message: 'x' }, { 'retry-after': seconds })
    if (retryAfterMs === null) return 'ignored'
    return retryAfterMs === Number(seconds) * 1000 ? TAKEN : String(retryAfterMs)
  },
  async againS(seconds) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let polls = 0
    const polling = createPolling({
      store: {
        enrolment: { get: async () => ({ gatewayId: GATEWAY_ID, lastCommand: 0 }) },
        receivedCommands: { untold: async () => [] },
      },
      commands: { interrupt: async () => {}, stop() {}, take: async () => 0 },
      link: {
        async poll() {
          polls++
          return { commands: [], again_s: seconds }
        },
      },
      ...{
        greeted: () => true,
        links: { keep: async () => {} },
        heartbeat: async () => ({}),
        backoffMs: () => 5,
        clock: { now: () => NOW },
      },
      log: { info() {}, warn() {}, error() {} },
    } as unknown as PollingDeps)
    polling.start()
    const settle = async () => {
      for (let i = 0; i < 20; i++) await setImmediate()
    }
    await settle()
    vi.advanceTimersByTime(seconds * 1000 - 1)
    await settle()
    const wasEarly = polls > 1
    vi.advanceTimersByTime(1)
    await settle()
    const { most } = SYNC_ANSWER_BOUNDS.againS
    const outcome = wasEarly ? `asked after ${most.toLocaleString('en-US')} seconds` : `${polls} polls`
    await polling.close()
    vi.useRealTimers()
    return outcome === '2 polls' ? TAKEN : outcome
  },
  async key(length) {
    const hello = understoodIf(checkHello({ ...HELLO, numbers_signature: x(length) }))
    const poll = checkPoll({ commands: [{ payload: 'x', signature: x(length) }], again_s: 0 })
    expect(understoodIf(poll)).toBe(hello)
    return hello
  },
  numbers: async (count) => understoodIf(checkHello({ ...HELLO, numbers: times(count, NUMBER) })),
  identityRecords: async (count) =>
    understoodIf(checkIdentity({ ...IDENTITY, records: times(count, { ...RECORD, id: GATEWAY_ID }) })),
  async identityPages(count) {
    const next = { kind: 'device', at: 0, id: GATEWAY_ID }
    let pages = 0
    const ask = async () => ({ ...IDENTITY, next: ++pages < count ? next : null })
    const read = readPages({ connection: { ask: ask as never } }, AbortSignal.timeout(10_000))
    return read.then(
      () => TAKEN,
      () => 'the replacement fails',
    )
  },
  async heard(positions) {
    const outcomes = [
      await greeted({ position: 0, heard: positions }),
      await greeted({ position: positions, heard: 0 }),
    ]
    const [said = ''] = outcomes.map((one) => (one instanceof SyncFailure ? `not believed: ${one.code}` : TAKEN))
    expect(outcomes.map((one) => one instanceof SyncFailure)).toEqual(times(2, said !== TAKEN))
    return said
  },
  commandText: async (characters) =>
    understoodIf(checkPoll({ commands: [{ payload: x(characters), signature: 'x' }], again_s: 0 })),
  async command(characters) {
    const text = Buffer.from(server.sign(commandOf()).payload, 'base64url').toString()
    const { payload, signature } = server.signText(text.padEnd(Math.floor(characters / 4) * 3))
    return judged({ payload: payload + 'A'.repeat(characters % 4), signature })
  },
  commandLifeMs: async (ms) => judged(server.sign(commandOf({ expiresAt: NOW + ms }))),
}

testBounds(SYNC_ANSWER_BOUNDS, cases)

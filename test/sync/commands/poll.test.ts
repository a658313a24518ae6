import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Enrolment } from '../../../src/fiscal/ports/enrolment.ts'
import type { ReceivedCommand } from '../../../src/fiscal/ports/gateway-commands.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import type { Commands } from '../../../src/sync/gateway/commands.ts'
import { SyncFailure } from '../../../src/sync/gateway/failure.ts'
import { type CommandLink, createPolling, type PollingDeps } from '../../../src/sync/gateway/poll.ts'
import type { PollResponse } from '../../../src/sync/wire/messages.ts'
import { GATEWAY_ID, NOW } from '../../support/commands.ts'
import { tempDir } from '../../support/temp-dir.ts'

const ENROLMENT: Enrolment = {
  ...{ tenantId: DEFAULT_TENANT, url: 'https://server', caPem: null, gatewayId: GATEWAY_ID, name: 'kiosk-7' },
  ...{
    sealedCredential: Buffer.of(1),
    sealedKey: Buffer.of(1),
    sealedLinks: null,
    serverId: randomUUID(),
    serverKey: 'key',
  },
  ...{ position: 0, pushed: 0, tellAgainTo: null, toldAt: null, serverProgram: null, numbers: [], lastCommand: 5 },
  enrolledAt: NOW,
}
const SOMETHING: PollResponse = { commands: [{ payload: 'x', signature: 'y' }], again_s: 0 }
const ended: ReceivedCommand = {
  ...{
    id: randomUUID(),
    number: 5,
    type: 'doctor',
    receivedAt: NOW,
    status: 'done',
    result: { ok: true },
    toldAt: null,
  },
}

interface Parts {
  poll?: (signal: AbortSignal) => Promise<PollResponse>
  tell?: CommandLink['tell']
  take?: Commands['take']
  deps?: Partial<PollingDeps>
}

/** A loop on a real database, with a server and commands that do as the test says. */
async function polling({ poll, tell = async () => true, take = async () => 0, deps }: Parts) {
  const store = await openStore(join(await tempDir(), 'fiskd.db'), NOW)
  await store.enrolment.put(ENROLMENT)
  const asked: { wait_s: number; last_command: number }[] = []
  const failures: number[] = []
  const held = (signal: AbortSignal) => delay(60_000, { commands: [], again_s: 0 }, { signal })
  const made = createPolling({
    store,
    commands: { interrupt: async () => {}, stop() {}, take },
    link: {
      async poll({ wait_s, last_command }, signal) {
        asked.push({ wait_s, last_command })
        return (poll ?? held)(signal)
      },
      tell,
    },
    greeted: () => true,
    links: { keep: async () => {} },
    heartbeat: async () => ({}) as never,
    backoffMs(count) {
      failures.push(count)
      return 5
    },
    clock: { now: () => NOW },
    log: { info() {}, warn() {}, error() {} },
    ...deps,
  })
  onTestFinished(async () => {
    await made.close()
    await store.close()
  })
  return { store, asked, failures, polling: made }
}

test('after its first answer a server that says the same thing at once, again and again, is not asked faster for it', async () => {
  const repeating = await polling({ poll: async () => SOMETHING })
  const silent = await polling({ poll: async () => ({ commands: [], again_s: 0 }) })
  repeating.polling.start()
  silent.polling.start()
  await delay(300)
  expect(repeating.asked).toHaveLength(1)
  expect(silent.asked).toHaveLength(2)
})

test('a server that fails is asked again after a while, longer each time', async () => {
  let calls = 0
  const { polling: loop, failures } = await polling({
    async poll(signal) {
      if (++calls < 4) throw new SyncFailure('unreachable', 'nobody listens there')
      return delay(60_000, SOMETHING, { signal })
    },
  })
  loop.start()
  await expect.poll(() => calls).toBe(4)
  expect(failures).toEqual([1, 2, 3])
})

test('a result is told until the server has taken it, before anything else is asked', async () => {
  let tries = 0
  const {
    store,
    polling: loop,
    asked,
  } = await polling({
    async tell(id, result) {
      expect([id, result]).toEqual([ended.id, { status: 'done', result: { ok: true } }])
      if (++tries < 3) throw new SyncFailure('unreachable', 'the connection was cut')
      return true
    },
  })
  await store.receivedCommands.insert(ended)
  loop.start()
  await expect.poll(() => asked.length).toBe(1)
  expect(tries).toBe(3)
  expect(await store.receivedCommands.get(ended.id)).toMatchObject({ toldAt: NOW })
  expect(asked).toEqual([{ wait_s: 0, last_command: 5 }])
})

test('a result that the server never takes does not keep the others back', async () => {
  const told: string[] = []
  const { store, polling: loop } = await polling({
    async tell(id) {
      told.push(id)
      return id !== ended.id
    },
  })
  const next = { ...ended, id: randomUUID(), number: 6 }
  await store.receivedCommands.insert(ended)
  await store.receivedCommands.insert(next)
  loop.start()
  await expect.poll(() => told).toEqual([ended.id, next.id])
  await expect.poll(() => store.receivedCommands.untold(9)).toEqual([])
})

test('while a command is done the server hears of us, and what it sends meanwhile is left for later', async () => {
  let finish = (_: number) => {}
  const done = new Promise<number>((resolve) => {
    finish = resolve
  })
  let taken = 0
  const { asked, polling: loop } = await polling({
    poll: async (signal) => (taken < 2 ? SOMETHING : delay(60_000, SOMETHING, { signal })),
    take: () => (++taken === 1 ? done : Promise.resolve(0)),
    deps: { beatMs: 30 },
  })
  loop.start()
  await expect.poll(() => asked.length).toBeGreaterThan(3)
  expect(taken).toBe(1)
  expect(asked.slice(1).every(({ wait_s }) => wait_s === 0)).toBe(true)
  finish(1)
  await expect.poll(() => taken).toBe(2)
})

test('nobody is asked before this process has said hello, and whoever says it wakes the loop', async () => {
  let greeted = false
  const { asked, polling: loop } = await polling({ deps: { greeted: () => greeted } })
  loop.start()
  await delay(50)
  expect(asked).toEqual([])
  greeted = true
  loop.wake()
  await expect.poll(() => asked.length).toBe(1)
})

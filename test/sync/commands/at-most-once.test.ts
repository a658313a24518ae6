import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { conflict } from '../../../src/domain/errors.ts'
import type { CommandExecutor, CommandExecutors } from '../../../src/fiscal/ports/command-execution.ts'
import type { Enrolment } from '../../../src/fiscal/ports/enrolment.ts'
import { COMMAND_TYPES, type GatewayCommand, type ReceivedCommand } from '../../../src/fiscal/ports/gateway-commands.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../src/store/store.ts'
import { createCommands } from '../../../src/sync/gateway/commands.ts'
import type { SignedCommand } from '../../../src/sync/wire/commands.ts'
import { commandOf, commandServer, GATEWAY_ID, NOW } from '../../support/commands.ts'
import { tempDir } from '../../support/temp-dir.ts'

const server = commandServer()

const ENROLMENT: Enrolment = {
  ...{ tenantId: DEFAULT_TENANT, url: 'https://server', caPem: null, gatewayId: GATEWAY_ID, name: 'kiosk-7' },
  ...{
    sealedCredential: Buffer.of(1),
    sealedKey: Buffer.of(1),
    sealedLinks: null,
    serverId: randomUUID(),
    serverKey: server.key,
  },
  ...{ position: 0, pushed: 0, tellAgainTo: null, toldAt: null, serverProgram: null, numbers: [], lastCommand: 0 },
  enrolledAt: NOW,
}

async function gateway(run: CommandExecutor['run'] = async () => ({ ran: true }), limitMs = 5000) {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, NOW)
  onTestFinished(() => store.close())
  await store.enrolment.put(ENROLMENT)
  const ran: string[] = []
  const logged: object[] = []
  const executor: CommandExecutor = {
    limitMs,
    run(execution) {
      ran.push(execution.id)
      return run(execution)
    },
  }
  const note = (facts: object, message: string) => void logged.push({ ...facts, message })
  const made = () =>
    createCommands({
      store,
      executors: Object.fromEntries(COMMAND_TYPES.map((type) => [type, executor])) as CommandExecutors,
      clock: { now: () => NOW, proven: () => NOW },
      log: { info: note, warn: note, error: note },
      audit: (tx, { issuedBy: actor, tenantId }, detail) =>
        tx.audit.insert({ ...{ id: randomUUID(), at: NOW, actor, tenantId, action: 'command.taken', detail } }),
      attach: async () => {},
      onDone() {},
    })
  return { store, ran, logged, commands: made(), restarted: made }
}

const stored = (store: OpenStore, { id }: GatewayCommand) => store.receivedCommands.get(id) as Promise<ReceivedCommand>
const lastOf = async (store: OpenStore) => (await store.enrolment.get())?.lastCommand

test('commands are done in the order of their numbers, each once however often it comes', async () => {
  const { store, ran, commands } = await gateway()
  const [one, two] = [commandOf({ number: 3 }), commandOf({ number: 9 })]
  expect(await commands.take([server.sign(one), server.sign(two), server.sign(one)])).toBe(2)
  expect(await commands.take([server.sign(two), server.sign(one)])).toBe(0)
  expect(ran).toEqual([one.id, two.id])
  expect(await lastOf(store)).toBe(9)
  expect(await stored(store, one)).toMatchObject({ status: 'done', result: { ran: true }, number: 3 })
})

test('a command that a restored server has numbered anew is told of again, and not done again', async () => {
  const { store, ran, commands } = await gateway()
  const command = commandOf({ number: 1 })
  await commands.take([server.sign(command)])
  await store.receivedCommands.told(command.id, NOW)
  expect(await store.receivedCommands.untold(9)).toEqual([])

  expect(await commands.take([server.sign({ ...command, number: 44 })])).toBe(0)
  expect(ran).toEqual([command.id])
  expect(await lastOf(store)).toBe(44)
  expect(await store.receivedCommands.untold(9)).toMatchObject([
    { id: command.id, status: 'done', result: { ran: true } },
  ])
})

test('what has begun when the process died is interrupted at the next start, and never begun again', async () => {
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const { store, ran, commands, restarted } = await gateway(async () => {
    begun()
    return new Promise(() => {})
  })
  const command = commandOf()
  void commands.take([server.sign(command)])
  await hasBegun
  expect(await stored(store, command)).toMatchObject({ status: 'begun' })
  expect(await lastOf(store)).toBe(1)
  commands.stop()

  const again = restarted()
  await again.interrupt()
  expect(await stored(store, command)).toMatchObject({
    status: 'interrupted',
    result: { error: { code: 'interrupted' } },
  })
  expect(await again.take([server.sign(command)])).toBe(0)
  expect(ran).toHaveLength(1)
})

test('a result that was stored with its effect stands, whatever fails afterwards', async () => {
  const { store, commands } = await gateway(async ({ keep, id }) => {
    await storeOf().transaction((tx) => keep(tx, { effect: id }))
    throw new Error('the power went')
  })
  const storeOf = () => store
  const command = commandOf()
  await commands.take([server.sign(command)])
  expect(await stored(store, command)).toMatchObject({ status: 'done', result: { effect: command.id } })
})

test('an effect whose command has run out of time does not come to be; what must be noted does', async () => {
  const late: string[] = []
  const { store, commands } = await gateway(async ({ id, keep, note }) => {
    await delay(60)
    const write = id === change.id ? keep : note
    const effect = storeOf().transaction(async (tx) => {
      await tx.tenants.insert({ id, name: id, createdAt: NOW })
      await write(tx, { id })
    })
    late.push(
      await effect.then(
        () => 'stored',
        () => 'not stored',
      ),
    )
    return {}
  }, 20)
  const storeOf = () => store
  const [change, retry] = [commandOf({ number: 1 }), commandOf({ number: 2 })]
  for (const command of [change, retry]) {
    await commands.take([server.sign(command)])
    expect(await stored(store, command)).toMatchObject({ status: 'failed', result: { error: { code: 'too_slow' } } })
    await expect.poll(() => late).toHaveLength(command.number)
  }
  expect(late).toEqual(['not stored', 'stored'])
  expect(await store.tenants.get(change.id)).toBeUndefined()
  expect(await store.tenants.get(retry.id)).toBeDefined()
})

test('what a rule forbids has failed for that reason, and what breaks says nothing of how it is made', async () => {
  const { store, commands, logged } = await gateway(async ({ id }) => {
    if (id === refused.id) throw conflict('label', 'it is taken')
    throw new Error('secret /etc/path')
  })
  const [refused, broken] = [commandOf({ number: 1 }), commandOf({ number: 2 })]
  await commands.take([server.sign(refused), server.sign(broken)])
  const error = { code: 'invalid_request', message: 'it is taken', param: 'label' }
  expect(await stored(store, refused)).toMatchObject({ status: 'failed', result: { error } })
  expect(JSON.stringify(await stored(store, broken))).not.toContain('/etc/path')
  expect(logged).toContainEqual(expect.objectContaining({ command: broken.id, message: 'a command failed' }))
})

test('a result that is too large to be told is told as that', async () => {
  const { store, commands } = await gateway(async () => ({ checks: 'x'.repeat(300_000) }))
  const command = commandOf()
  await commands.take([server.sign(command)])
  expect(await stored(store, command)).toMatchObject({ status: 'done', result: { too_large: true } })
})

test('what a hostile server sends is refused, logged, stored and told, and moves no number that it may not move', async () => {
  const { store, ran, commands, logged } = await gateway()
  await commands.take([server.sign(commandOf({ number: 5 }))])
  ran.length = 0
  const sendings: [SignedCommand, string, string, number][] = []
  const add = (command: GatewayCommand, code: string, last: number, sign = server.sign) =>
    sendings.push([sign(command), command.id, code, last])
  add(commandOf({ number: 99 }), 'command_signature_invalid', 5, commandServer().sign)
  add(commandOf({ number: 98, gatewayId: randomUUID() }), 'command_of_other_gateway', 5)
  add(commandOf({ number: 4 }), 'command_replayed', 5)
  add(commandOf({ number: 6, type: 'numbers.lower' as never }), 'command_unknown', 6)
  add(commandOf({ number: 7, issuedAt: NOW - 9e8, expiresAt: NOW - 1 }), 'command_expired', 7)
  add(commandOf({ number: 8, type: 'doctor', body: { really: true } }), 'command_body_invalid', 8)
  for (const [signed, id, code, last] of sendings) {
    await commands.take([signed])
    const status = code === 'command_expired' ? 'expired' : 'refused'
    expect(await store.receivedCommands.get(id), code).toMatchObject({
      status,
      result: { error: { code } },
      toldAt: null,
    })
    expect(logged, code).toContainEqual(expect.objectContaining({ command: id, code }))
    expect(await lastOf(store), code).toBe(last)
  }
  expect(ran).toEqual([])
  await commands.take([server.signText('x'.repeat(10_000_000)), server.signText('{}')])
  expect(logged.filter((one) => 'code' in one && one.code === 'command_malformed')).toHaveLength(2)
})

test('a server that sends nonsense for ever does not fill the disk', async () => {
  const { store, commands } = await gateway()
  const stranger = commandServer()
  for (let round = 0; round < 12; round++) {
    await commands.take(Array.from({ length: 100 }, () => stranger.sign(commandOf())))
    for (const { id } of await store.receivedCommands.untold(1000)) await store.receivedCommands.told(id, NOW)
  }
  await commands.take([])
  expect(await store.receivedCommands.list(5000)).toHaveLength(1000)
})

test('a gateway that has left its server does nothing for it', async () => {
  const { store, ran, commands } = await gateway()
  await store.enrolment.remove()
  expect(await commands.take([server.sign(commandOf())])).toBe(0)
  expect(ran).toEqual([])
})

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { sealedBoxes } from '../../../src/certificates/sealed-box.ts'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { askedDevice } from '../../../src/fiscal/gateways/asked-device.ts'
import { answerCommand, attachToCommand, takeCommands } from '../../../src/fiscal/gateways/command-delivery.ts'
import {
  commandsWith,
  findCommand,
  latestAbout,
  listCommands,
  ownerOf,
  waitingAt,
} from '../../../src/fiscal/gateways/command-list.ts'
import { sendCertificate, sendCommand } from '../../../src/fiscal/gateways/queue-commands.ts'
import type { CommandType } from '../../../src/fiscal/ports/gateway-commands.ts'
import type { GatewayRecord } from '../../../src/fiscal/ports/gateways.ts'
import { type Company, type Device, LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'
import { OPERATOR } from '../../support/people.ts'

const NOW = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000
const OTHERS: Principal = { ...OPERATOR, id: 'operator of others', tenantId: 'others' }
const COMPANY = companyIdOf('02994650199')

const numberOf = (device_id: string, isu_number: string) => ({ device_id, isu_number })

async function central() {
  const store = await openStore(await freshDatabase(), NOW)
  onTestFinished(() => store.close())
  await store.tenants.insert({ id: 'others', name: 'others', createdAt: NOW })
  const time = { now: NOW }
  const rung: string[] = []
  const clock = {
    ...{ now: () => time.now, proven: () => time.now },
    present: () => ({ now: time.now, earliest: time.now, latest: time.now }) as never,
  }
  const deps = { store, clock, newUuid: randomUUID, onCommand: (id: string) => void rung.push(id) }
  const keys = generateKeyPairSync('x25519')

  async function addGateway(name: string, changes: Partial<GatewayRecord> = {}): Promise<GatewayRecord> {
    const gateway: GatewayRecord = {
      ...{ id: randomUUID(), tenantId: DEFAULT_TENANT, name, createdAt: NOW, tokenHash: null, tokenExpiresAt: null },
      publicKey: keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
      ...{
        credentialHash: name,
        enrolledAt: NOW,
        revokedAt: null,
        position: 0,
        heard: 0,
        session: null,
        sessionBefore: null,
      },
      ...{
        strikes: 0,
        duplicatedAt: null,
        lastCommand: 0,
        lastSeenAt: null,
        reportedAt: null,
        heartbeat: null,
        companies: null,
      },
      ...changes,
    }
    await store.gateways.insert(gateway)
    return gateway
  }
  const gateway = await addGateway('kiosk-7')
  await store.companies.insert({
    ...{ id: COMPANY, gatewayId: gateway.id, tenantId: DEFAULT_TENANT, name: 'Čizma', oib: '02994650199' },
    ...{ vatRegistered: true, address: {}, fiscalConfig: {}, mode: 'test', status: 'active', createdAt: NOW },
  })
  async function addDevice(gatewayId: string, premisesCode: string): Promise<Device> {
    const id = randomUUID()
    const device: Device = {
      ...{
        id,
        gatewayId,
        tenantId: DEFAULT_TENANT,
        companyId: COMPANY,
        premisesCode,
        premisesAddress: null,
        label: id,
      },
      ...{ isuNumber: null, isuStatus: 'pending', deviceConfig: {}, status: 'active', installedAt: NOW },
      ...{ lastSeenAt: null, lastSuccessAt: null, createdAt: NOW },
    }
    await store.devices.insert(device)
    return device
  }
  const send = (type: Exclude<CommandType, 'certificate.add'> = 'doctor', body = {}, to = 'kiosk-7') =>
    sendCommand(deps, OPERATOR, to, { type, body })
  /** Another command with each call. */
  const sendAnother = () => send('api_key.revoke', { id: randomUUID() })
  return { store, deps, time, rung, gateway, keys, addGateway, addDevice, send, sendAnother }
}

test('commands of a gateway are numbered in the order in which they were given, each gateway for itself', async () => {
  const { send, sendAnother, addGateway, rung, gateway, deps } = await central()
  const other = await addGateway('kiosk-8')
  expect([(await send()).number, (await sendAnother()).number]).toEqual([1, 2])
  expect(await send('doctor', {}, other.id)).toMatchObject({ number: 1, gatewayId: other.id, status: 'waiting' })
  expect(rung).toEqual([gateway.id, gateway.id, other.id])
  expect((await takeCommands(deps, gateway.id, 0)).map(({ number }) => number)).toEqual([1, 2])
})

test('only what a gateway has told of can be commanded at it', async () => {
  const { send, addGateway, addDevice, gateway } = await central()
  const other = await addGateway('kiosk-8')
  const own = await addDevice(gateway.id, 'P1')
  for (const { id } of [await addDevice(other.id, 'P2'), await addDevice(LOCAL_GATEWAY, 'P3'), { id: randomUUID() }]) {
    await expect(send('device.change', { device_id: id, status: 'suspended' })).rejects.toMatchObject({
      status: 404,
      param: 'device_id',
    })
  }
  await expect(send('invoice.retry', { invoice_id: 'inv_1' })).rejects.toMatchObject({
    status: 404,
    param: 'invoice_id',
  })
  await expect(send('device.add', { company_id: randomUUID() })).rejects.toMatchObject({
    status: 404,
    param: 'company_id',
  })
  expect(await send('device.change', { device_id: own.id })).toMatchObject({ number: 1 })
})

test('another tenant reaches no gateway of ours, and neither does a principal without the scope', async () => {
  const { deps, gateway } = await central()
  const command = { type: 'doctor', body: {} } as const
  await expect(sendCommand(deps, OTHERS, gateway.id, command)).rejects.toMatchObject({ status: 404 })
  await expect(listCommands(deps, OTHERS, 'kiosk-7', { limit: 9 })).rejects.toMatchObject({ status: 404 })
  const reader = { ...OPERATOR, scopes: ['fleet:read'] }
  await expect(sendCommand(deps, reader, 'kiosk-7', { type: 'support_bundle', body: {} })).rejects.toMatchObject({
    code: 'insufficient_scope',
  })
})

test('a gateway that asks for nothing is sent nothing: not enrolled, left, revoked', async () => {
  const { send, addGateway } = await central()
  await addGateway('new', { publicKey: null, enrolledAt: null, credentialHash: null })
  await addGateway('left', { credentialHash: null })
  await addGateway('gone', { revokedAt: NOW })
  for (const name of ['new', 'left', 'gone']) {
    await expect(send('doctor', {}, name), name).rejects.toMatchObject({ status: 409, param: 'gateway' })
  }
})

test('a new device at a premises of somebody else is refused with the name of who sells there', async () => {
  const { send, addGateway, addDevice, gateway, store } = await central()
  const other = await addGateway('kiosk-8')
  const at = (premises_code: string) => ({ company_id: COMPANY, premises_code, label: 'x' })
  await addDevice(LOCAL_GATEWAY, 'OWN')
  await expect(send('device.add', at('OWN'))).rejects.toMatchObject({
    code: 'premises_owned_by_gateway',
    message: expect.stringContaining('this server'),
  })
  await send('device.add', at('NEW'))
  expect(await store.gateways.claims.ofGateway(gateway.id)).toEqual([{ companyId: COMPANY, premisesCode: 'NEW' }])
  await expect(send('device.add', at('NEW'), other.name)).rejects.toMatchObject({
    message: expect.stringContaining('kiosk-7'),
  })
})

test('what waits already is not queued a second time, also when it was fetched, and nobody is told of it again', async () => {
  const { send, addDevice, gateway, deps, rung, store } = await central()
  const { id } = await addDevice(gateway.id, 'P1')
  const [first, second] = [
    await send('device.set_isu', numberOf(id, '1')),
    await send('device.set_isu', numberOf(id, '1')),
  ]
  expect(second).toEqual({ ...first, isRepeated: true })
  await takeCommands(deps, gateway.id, 0)
  expect(await send('device.set_isu', numberOf(id, '1'))).toMatchObject({ id: first.id, isRepeated: true })
  expect(rung).toHaveLength(1)
  expect((await store.audit.list(DEFAULT_TENANT, {}, { limit: 9 })).map(({ action }) => action)).toEqual([
    'gateway.commanded',
  ])
  await answerCommand(deps, gateway.id, first.id, { status: 'done', result: {} })
  expect(await send('device.set_isu', numberOf(id, '1'))).toMatchObject({ number: 2, isRepeated: false })
})

test('the same sent at once by two people is one command', async () => {
  const { send, deps, gateway } = await central()
  const sent = await Promise.all([send(), send(), send(), send()])
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  expect(await takeCommands(deps, gateway.id, 0)).toHaveLength(1)
})

test('the newest wish counts: an older one that was not fetched is withdrawn, and a fetched one is followed by it', async () => {
  const { send, addDevice, gateway, deps } = await central()
  const { id } = await addDevice(gateway.id, 'P1')
  const wrong = await send('device.set_isu', numberOf(id, '1'))
  const right = await send('device.set_isu', numberOf(id, '2'))
  expect(right).toMatchObject({ isRepeated: false, replaced: [wrong.id] })
  const { command } = await findCommand(deps, OPERATOR, 'kiosk-7', wrong.id)
  expect(command).toMatchObject({ status: 'withdrawn', result: { replaced_by: right.id } })
  expect((await takeCommands(deps, gateway.id, 0)).map((one) => one.id)).toEqual([right.id])
  expect(await send('device.set_isu', numberOf(id, '3'))).toMatchObject({ replaced: [] })
  const again = await send('device.set_isu', numberOf(id, '2'))
  expect(again).toMatchObject({ isRepeated: false, replaced: [expect.any(String)] })
  expect((await takeCommands(deps, gateway.id, 0)).map(({ body }) => body.isu_number)).toEqual(['2', '2'])
})

test('wishes about other objects, or about other fields of a device, stand beside each other', async () => {
  const { send, addDevice, gateway } = await central()
  const [one, two] = [await addDevice(gateway.id, 'P1'), await addDevice(gateway.id, 'P2')]
  const change = (device: Device, changes: object) => send('device.change', { device_id: device.id, ...changes })
  await send('device.set_isu', numberOf(one.id, '1'))
  const sent = [
    await send('device.set_isu', numberOf(two.id, '2')),
    await change(one, { status: 'suspended' }),
    await change(one, { label: 'A', premises_address: 'Riva 1' }),
    await change(one, { label: 'B' }),
    await change(two, { status: 'suspended' }),
  ]
  expect(sent.every(({ isRepeated, replaced }) => !isRepeated && replaced.length === 0)).toBe(true)
  // What is changed anew as a whole is replaced, and what is changed in part is not.
  expect(await change(one, { label: 'C', premises_address: 'Riva 2' })).toMatchObject({
    replaced: [sent[2]?.id, sent[3]?.id],
  })
})

test('a setting replaces only itself, and is asked anew where later commands have changed it', async () => {
  const { send, addDevice, gateway } = await central()
  const { id: device_id, ...device } = await addDevice(gateway.id, 'P1')
  const set = (setting: string, value: unknown) => send('device.set_setting', { device_id, setting, value })
  const footer = await set('receipt.footer', ['A'])
  expect(await set('receipt.header', ['H'])).toMatchObject({ replaced: [] })
  expect(await set('receipt.footer', ['A'])).toMatchObject({ id: footer.id, isRepeated: true })
  const other = await set('receipt.footer', ['B'])
  expect(other.replaced).toEqual([footer.id])
  const whole = await send('device.change', { device_id, device_config: { payment_method: 'K' } })
  expect(whole.replaced).toEqual([])
  const again = await set('receipt.footer', ['B'])
  expect(again).toMatchObject({ isRepeated: false, replaced: [other.id] })
  const deviceConfig = { payment_method: 'K', receipt: { footer: ['B'] } }
  expect(askedDevice({ id: device_id, ...device }, [whole, again])).toMatchObject({ deviceConfig })
})

test('what waits is told with its gateway, and a device is shown as it was asked to be', async () => {
  const { send, addDevice, addGateway, gateway, deps, time } = await central()
  const other = await addGateway('kiosk-8')
  const device = await addDevice(gateway.id, 'P1')
  await send('device.change', { device_id: device.id, status: 'suspended', label: 'Novi' })
  await send('device.set_isu', numberOf(device.id, '4711'))
  await send('doctor', {}, other.name)
  time.now += 3_600_000
  const waiting = await waitingAt(deps, OPERATOR, [gateway.id, other.id])
  expect(waiting).toMatchObject([...Array(3)].map(() => ({ state: 'silent', heardAt: NOW })))
  expect(waiting.map(({ gateway }) => gateway).sort()).toEqual(['kiosk-7', 'kiosk-7', 'kiosk-8'])
  expect(await waitingAt(deps, OTHERS, [gateway.id])).toEqual([])
  expect(await commandsWith(deps, OTHERS, [waiting[0]?.command.id ?? ''])).toEqual([])
  const commands = waiting.map(({ command }) => command)
  const asked = { status: 'suspended', label: 'Novi', isuNumber: '4711', isuStatus: 'assigned' }
  expect(askedDevice(device, commands)).toEqual({ ...device, ...asked })
  time.now += 7 * DAY_MS
  expect(await waitingAt(deps, OPERATOR, [gateway.id])).toEqual([])
})

test('the latest command of a type about a company is found, of each gateway', async () => {
  const { deps, gateway, store } = await central()
  const send = (status: string) =>
    sendCommand(deps, OPERATOR, gateway.id, { type: 'company.set_status', body: { company_id: COMPANY, status } })
  await send('suspended')
  const { id } = await send('active')
  const company = await store.companies.get(COMPANY)
  const found = await latestAbout(deps, OPERATOR, 'company.set_status', company as Company)
  expect(found).toMatchObject([{ gateway: 'kiosk-7', command: { id, body: { status: 'active' }, status: 'waiting' } }])
  expect(await latestAbout(deps, OPERATOR, 'certificate.add', company as Company)).toEqual([])
})

test('a hundred commands wait for a gateway, and no more', async () => {
  const { send, sendAnother } = await central()
  for (let count = 0; count < 100; count++) await sendAnother()
  await expect(send()).rejects.toMatchObject({ status: 409 })
})

test('what was never fetched expires after a week, and what was fetched is up to the gateway', async () => {
  const { send, sendAnother, time, deps, gateway } = await central()
  const fetched = await send()
  await takeCommands(deps, gateway.id, 0)
  const never = await sendAnother()
  time.now += 7 * DAY_MS
  const { items } = await listCommands(deps, OPERATOR, 'kiosk-7', { limit: 9 })
  expect(items.map(({ command }) => [command.id, command.status])).toEqual(
    expect.arrayContaining([
      [fetched.id, 'waiting'],
      [never.id, 'expired'],
    ]),
  )
  expect((await takeCommands(deps, gateway.id, 0)).map(({ id }) => id)).toEqual([fetched.id])
})

test('after a server has forgotten what it gave out, what waits goes behind what the gateway has seen', async () => {
  const { send, sendAnother, deps, gateway, store } = await central()
  const sent = await send()
  await takeCommands(deps, gateway.id, 0)
  const [one, two] = [await sendAnother(), await sendAnother()]
  expect((await takeCommands(deps, gateway.id, 40)).map(({ id, number }) => [id, number])).toEqual([
    [sent.id, 1],
    [one.id, 41],
    [two.id, 42],
  ])
  expect((await sendAnother()).number).toBe(43)
  expect((await store.gateways.get(gateway.id))?.lastCommand).toBe(40)
})

test('the first answer counts, and only that of the gateway itself', async () => {
  const { send, deps, gateway, addGateway } = await central()
  const other = await addGateway('kiosk-8')
  const { id } = await send()
  await expect(answerCommand(deps, other.id, id, { status: 'done', result: {} })).rejects.toMatchObject({ status: 404 })
  await answerCommand(deps, gateway.id, id, { status: 'failed', result: { error: null } })
  await answerCommand(deps, gateway.id, id, { status: 'done', result: {} })
  const { command } = await findCommand(deps, OPERATOR, 'kiosk-7', id)
  expect(command).toMatchObject({ status: 'failed', answeredAt: NOW })
  expect(await takeCommands(deps, gateway.id, 0)).toEqual([])
})

test('a file is taken for a support bundle alone, under a harmless name, before it is answered, for 30 days', async () => {
  const { send, deps, gateway, time, store } = await central()
  const attachment = { name: 'bundle.tar.gz', content: Buffer.from('bundle') }
  const attach = (id: string, changes = {}) => attachToCommand(deps, gateway.id, id, { ...attachment, ...changes })
  await expect(attach((await send()).id)).rejects.toMatchObject({ code: 'invalid_request' })
  const { id } = await send('support_bundle')
  for (const name of ['../x', '', '.x', 'a b', 'x'.repeat(101)])
    await expect(attach(id, { name })).rejects.toMatchObject({ param: 'name' })
  await attach(id)
  expect((await findCommand(deps, OPERATOR, 'kiosk-7', id)).attachment).toEqual({ name: 'bundle.tar.gz', bytes: 6 })
  await answerCommand(deps, gateway.id, id, { status: 'done', result: {} })
  await expect(attach(id)).rejects.toMatchObject({ code: 'invalid_request' })
  time.now += 31 * DAY_MS
  await attach((await send('support_bundle')).id)
  expect(await store.gatewayCommands.attachment(id)).toBeUndefined()
})

test('a gateway that was revoked while it waited is told nothing more', async () => {
  const { send, deps, gateway, store } = await central()
  await send()
  await store.gateways.update(gateway.id, { revokedAt: NOW })
  expect(await takeCommands(deps, gateway.id, 0)).toEqual([])
})

test('a certificate opens with the key of its gateway for its command alone', async () => {
  const { deps, keys, gateway } = await central()
  const privateKey = Buffer.from('the private key')
  const opened = { privateKey, subjectOib: '02994650199', notBefore: 0, notAfter: NOW + DAY_MS }
  const opener = { open: async () => opened as never }
  const upload = { companyId: COMPANY, file: Buffer.from('p12'), passphrase: 'geheim', label: null }
  const { id, body } = await sendCertificate({ ...deps, opener, boxes: sealedBoxes }, OPERATOR, 'kiosk-7', upload)
  expect(privateKey.equals(Buffer.alloc(privateKey.length))).toBe(true)
  const key = () => keys.privateKey.export({ format: 'der', type: 'pkcs8' })
  const box = Buffer.from(String(body.sealed), 'base64url')
  const secret = sealedBoxes.open(key(), box, `certificate.add ${gateway.id} ${id}`)
  expect(JSON.parse(secret.toString())).toEqual({
    file: upload.file.toString('base64'),
    passphrase: 'geheim',
    label: null,
  })
  expect(() => sealedBoxes.open(key(), box, `certificate.add ${gateway.id} ${randomUUID()}`)).toThrow('does not open')
  const expired = { open: async () => ({ ...opened, notAfter: NOW - 1 }) as never }
  await expect(
    sendCertificate({ ...deps, opener: expired, boxes: sealedBoxes }, OPERATOR, 'kiosk-7', upload),
  ).rejects.toMatchObject({ code: 'certificate_expired' })
})

test('whose a row is can be asked', async () => {
  const { store, addDevice, gateway } = await central()
  const [theirs, own] = [await addDevice(gateway.id, 'P1'), await addDevice(LOCAL_GATEWAY, 'P2')]
  expect(await ownerOf({ store }, OPERATOR, { deviceId: theirs.id })).toBe('kiosk-7')
  expect(await ownerOf({ store }, OPERATOR, { deviceId: own.id })).toBeNull()
  await expect(ownerOf({ store }, OTHERS, { deviceId: own.id })).rejects.toMatchObject({ status: 404 })
})

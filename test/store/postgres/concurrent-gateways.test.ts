import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { FiskError } from '../../../src/domain/errors.ts'
import { takeCommands } from '../../../src/fiscal/gateways/command-delivery.ts'
import { setGatewayCompanies } from '../../../src/fiscal/gateways/gateway-admin.ts'
import { addGateway, revokeGateway } from '../../../src/fiscal/gateways/gateways.ts'
import { sendCommand } from '../../../src/fiscal/gateways/queue-commands.ts'
import { addCompany } from '../../../src/fiscal/registry/companies.ts'
import { addDevice } from '../../../src/fiscal/registry/devices.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { newNonce } from '../../../src/sync/gateway/handshake.ts'
import { enroll, hello } from '../../../src/sync/server/handshake.ts'
import { claimPremises } from '../../../src/sync/server/premises.ts'
import { PROTOCOL } from '../../../src/sync/wire/messages.ts'
import { OIBS } from '../../support/oibs.ts'
import { overlap, processOn } from '../../support/overlap.ts'
import { OPERATOR } from '../../support/people.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

const NOW = Date.UTC(2026, 10, 24)
const now = () => NOW
const clock = { now, proven: now, present: () => ({ now: NOW, earliest: NOW, latest: NOW }) as never }
const newUuid = randomUUID

/** A server with a company and an enrolled gateway. */
async function central() {
  const url = await postgresDatabase()
  const store = await processOn(url)
  const admin = (on: OpenStore) => ({ store: on, clock, newUuid, caHash: async () => randomBytes(32) })
  const newCompany = { name: 'Kava', oib: OIBS[0] as string, vatRegistered: true, address: {}, fiscalConfig: {} }
  const company = await addCompany({ store, clock }, OPERATOR, { ...newCompany, mode: 'test' })
  const handshake = (on: OpenStore) => ({
    ...{ store: on, now, program: '1', serverId: async () => 's', serverKey: async () => 'k' },
    ...{ signing: async () => () => 'signed', noteEnrolment: async () => {} },
  })
  const credential = (text: string) => createHash('sha256').update(text).digest('hex')
  const enrolling = (token: string, as: string) => (on: OpenStore) =>
    enroll(handshake(on), {
      token,
      protocol: PROTOCOL,
      program: '1',
      credential_hash: credential(as),
      public_key: 'a',
      host: 'kiosk',
      last: 0,
      premises: [],
      nonce: newNonce(),
    })
  const greeting = (id: string, session: string) => async (on: OpenStore) => {
    const gateway = await on.gateways.get(id)
    if (!gateway) throw new Error('no gateway')
    return hello(handshake(on), gateway, session, { protocol: PROTOCOL, premises: [], nonce: newNonce() } as never)
  }
  const add = async (name: string) => (await addGateway(admin(store), OPERATOR, { name, again: false })).token
  const token = await add('kiosk-7')
  await enrolling(token, 'first')(store)
  const gateway = await store.gateways.named('default', 'kiosk-7')
  if (!gateway) throw new Error('no gateway')
  const premises = { companyId: company.id, premisesCode: 'KIOSK1' }
  const device = { ...premises, premisesAddress: null, label: 'Bar', isuNumber: '101', deviceConfig: {} }
  const ours = (on: OpenStore) => addDevice({ store: on, clock, newUuid }, OPERATOR, device)
  const claim = (on: OpenStore) => claimPremises(on, gateway, [premises], now)
  return { url, store, admin, add, enrolling, greeting, credential, gateway, premises, ours, claim, company }
}

const ends = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'rejected' ? ((one.reason as FiskError).code ?? String(one.reason)) : 'done'))

describe.skipIf(skipWithoutPostgres)('of two processes on one database', () => {
  test('a premises that a gateway claims gets no device of our own', async () => {
    const { url, claim, ours } = await central()
    expect(ends(await overlap(url, 'gateways.claims.add', claim, ours))).toEqual(['done', 'premises_owned_by_gateway'])
  })

  test('a premises that gets a device of our own is claimed by no gateway', async () => {
    const { url, store, claim, ours, gateway } = await central()
    const settled = await overlap(url, 'devices.insert', ours, claim)
    expect(settled[1]).toMatchObject({ value: [{ premisesCode: 'KIOSK1', holder: 'this server' }] })
    expect(await store.gateways.claims.count(gateway.id)).toBe(0)
  })

  test('a premises that two gateways claim is told to one of them only', async () => {
    const { url, store, claim, add, enrolling, premises } = await central()
    await enrolling(await add('kiosk-8'), 'other')(store)
    const other = await store.gateways.named('default', 'kiosk-8')
    const settled = await overlap(url, 'gateways.claims.add', claim, (on) =>
      claimPremises(on, { id: String(other?.id) }, [premises], now),
    )
    expect(settled).toMatchObject([{ value: [] }, { value: [{ holder: 'the gateway kiosk-7' }] }])
  })

  test.each([
    [
      'that loses its company',
      (on: OpenStore) => setGatewayCompanies({ store: on, clock }, OPERATOR, 'kiosk-7', [OIBS[1] as string]),
    ],
    ['that is revoked', (on: OpenStore) => revokeGateway({ store: on, clock }, OPERATOR, 'kiosk-7', { release: true })],
  ])('a gateway %s keeps no premises that it has just asked for', async (_which, lose) => {
    const { url, store, claim, gateway } = await central()
    await overlap(url, 'gateways.claims.release', lose, claim)
    expect(await store.gateways.claims.count(gateway.id)).toBe(0)
  })

  test('a token is exchanged by one machine', async () => {
    const { url, store, add, enrolling, credential } = await central()
    const token = await add('kiosk-8')
    const settled = await overlap(url, 'gateways.byTokenHash', enrolling(token, 'one'), enrolling(token, 'other'))
    expect(ends(settled)).toEqual(['done', 'sync_token_invalid'])
    expect((await store.gateways.named('default', 'kiosk-8'))?.credentialHash).toBe(credential('one'))
  })

  test('a gateway that is revoked is not let in by a token from before', async () => {
    const { url, store, add, enrolling } = await central()
    const token = await add('kiosk-8')
    const settled = await overlap(
      url,
      'gateways.get',
      (on) => revokeGateway({ store: on, clock }, OPERATOR, 'kiosk-8', { release: false }),
      enrolling(token, 'late'),
    )
    expect(ends(settled)).toEqual(['done', 'sync_token_invalid'])
    expect((await store.gateways.named('default', 'kiosk-8'))?.revokedAt).toBe(NOW)
  })

  test('a new token is not undone by a machine that exchanges the one before', async () => {
    const { url, store, add, admin, enrolling } = await central()
    const before = await add('kiosk-8')
    let token = ''
    await overlap(url, 'gateways.claims.holders', enrolling(before, 'late'), async (on) => {
      token = (await addGateway(admin(on), OPERATOR, { name: 'kiosk-8', again: true })).token
    })
    await expect(enrolling(token, 'new')(store)).resolves.toMatchObject({ name: 'kiosk-8' })
  })

  test('of two sessions of one gateway the later one is heard, and the other one is known as the one before', async () => {
    const { url, store, greeting, gateway } = await central()
    const [one, other] = [randomUUID(), randomUUID()]
    await overlap(url, 'gateways.get', greeting(gateway.id, one), greeting(gateway.id, other))
    expect(await store.gateways.get(gateway.id)).toMatchObject({ session: other, sessionBefore: one })
  })

  const sending = (type: 'doctor' | 'support_bundle') => (on: OpenStore) =>
    sendCommand({ store: on, clock, newUuid, onCommand: () => {} }, OPERATOR, 'kiosk-7', { type, body: {} })

  test('two commands for a gateway have numbers of their own, and equal ones are one', async () => {
    const { url } = await central()
    const settled = await overlap(url, 'gatewayCommands.add', sending('doctor'), sending('support_bundle'))
    expect(settled).toMatchObject([{ value: { number: 1 } }, { value: { number: 2 } }])
    const again = await Promise.all([sending('doctor')(await processOn(url)), sending('doctor')(await processOn(url))])
    expect(again.map(({ number }) => number)).toEqual([1, 1])
  })

  test('a command that is queued while the gateway says how far it is has a number above that', async () => {
    const { url, store, gateway } = await central()
    await sending('doctor')(store)
    const take = (on: OpenStore) => takeCommands({ store: on, clock }, gateway.id, 50)
    await overlap(url, 'gatewayCommands.renumber', take, sending('support_bundle'))
    const numbers = (await store.gatewayCommands.waiting(gateway.id, 8)).map(({ number }) => number)
    expect(numbers).toEqual([51, 52])
  })

  test('numbers that a gateway pushes while its premises is released are taken out of use', async () => {
    const { url, store, claim, gateway, premises } = await central()
    await claim(store)
    const sequence = { ...premises, mode: 'test' as const, year: 2026, register: '' }
    await store.numbering.setHighest(sequence, '5')
    const settled = await overlap(
      url,
      'numbering.setHighest',
      (on) => on.ingest(gateway.id, (tx) => tx.numbering.setHighest(sequence, '6')),
      (on) => revokeGateway({ store: on, clock }, OPERATOR, 'kiosk-7', { release: true }),
    )
    expect(ends(settled)).toEqual(['done', 'done'])
    expect(await query(url, 'SELECT first, last FROM reserved_numbers')).toEqual([{ first: '1', last: '6' }])
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPasswordLinks, type LinkLetter } from '../../../src/fiscal/access/password-links.ts'
import { checkCredentials } from '../../../src/fiscal/access/users.ts'
import { createOfficeMailing } from '../../../src/fiscal/mail/office-mail.ts'
import type { StoreTransaction } from '../../../src/fiscal/ports/store.ts'
import { watched } from '../../support/alerting.ts'
import { OPERATOR, userRow } from '../../support/people.ts'

const letter: LinkLetter = (_user, { url }) => ({ subject: 'link', text: url, html: url })
const caller = { address: '192.0.2.1', signal: new AbortController().signal }

async function links({ isSet = false } = {}) {
  const { store, clock } = await watched()
  const mails = createOfficeMailing({ store, clock, newUuid: randomUUID, isSet, onQueued: () => {} })
  const faults: unknown[] = []
  const useCases = createPasswordLinks({
    ...{ store, clock, newUuid: randomUUID, mails, dashboardUrl: 'https://office.example.hr' },
    networkOf: (address) => address,
    onFault: (error) => void faults.push(error),
  })
  return { ...useCases, store, clock, faults }
}

test('of two who use a link at once one sets the password', async () => {
  const { store, send, setPassword } = await links()
  const ana = userRow()
  await store.users.insert(ana)
  const { token } = await send(OPERATOR, ana.id, letter)
  const passwords = ['prva nova lozinka', 'druga nova lozinka']
  const set = await Promise.allSettled(passwords.map((password) => setPassword(String(token), password, caller)))
  expect(set.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const checks = passwords.map((password) => checkCredentials(store, ana.name, password, { key: 'x' }))
  const matching = (await Promise.all(checks)).map(({ matches }) => matches)
  expect(matching).toEqual(set.map(({ status }) => status === 'fulfilled'))
})

test('an invitation is stored with its user and its mail, or not at all', async () => {
  const { store, invite } = await links({ isSet: true })
  const invitation = { email: 'ana@example.hr', role: 'viewer' as const, companyIds: null }
  const { user } = await invite(OPERATOR, invitation, letter)
  const kept = async () => [
    (await store.users.list(OPERATOR.tenantId)).length,
    await store.officeMails.countWaiting(OPERATOR.tenantId),
    await store.audit.countFrom('user.invited', ''),
  ]
  expect(await kept()).toEqual([1, 1, 1])
  await expect(invite(OPERATOR, invitation, letter)).rejects.toMatchObject({ status: 409, param: 'name' })
  const breaking = async () => {
    throw new Error('broken')
  }
  await expect(invite(OPERATOR, { ...invitation, email: 'b@example.hr' }, letter, breaking)).rejects.toThrow('broken')
  expect(await kept()).toEqual([1, 1, 1])
  await store.users.remove(user.id)
  expect(await store.passwordLinks.of(user.id)).toBeUndefined()
})

test('of many who ask for the same user at once one has a link sent', async () => {
  const { store, forgotten, faults } = await links({ isSet: true })
  await store.users.insert(userRow())
  for (let i = 0; i < 30; i++) forgotten('ana', '192.0.2.1', letter)
  await expect.poll(() => store.officeMails.countWaiting(OPERATOR.tenantId)).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([await store.officeMails.countWaiting(OPERATOR.tenantId), faults]).toEqual([1, []])
})

test.each([
  ['gets another address', (tx: StoreTransaction, id: string) => tx.users.update(id, { email: 'new@example.hr' })],
  ['gets another password', (tx: StoreTransaction, id: string) => tx.users.update(id, { passwordHash: 'y' })],
  ['is removed', (tx: StoreTransaction, id: string) => tx.users.remove(id)],
])('no link is made for a user who %s at the same moment', async (_what, change) => {
  const { store, send } = await links({ isSet: true })
  const ana = userRow()
  await store.users.insert(ana)
  // The user is read, and changes before the link is stored.
  const { get } = store.users
  store.users.get = async (id) => {
    const user = await get(id)
    await store.transaction((tx) => change(tx, ana.id))
    return user
  }
  await expect(send(OPERATOR, ana.id, letter)).rejects.toMatchObject({ status: 409, param: 'to' })
  expect(await store.passwordLinks.of(ana.id)).toBeUndefined()
})

test('a mail that cannot be queued after a forgotten password is told to nobody but the log', async () => {
  const { store, forgotten, faults } = await links({ isSet: true })
  await store.users.insert(userRow({ email: 'no address' }))
  expect(forgotten('ana', '192.0.2.1', letter)).toBeUndefined()
  await expect.poll(() => faults).toMatchObject([{ param: 'to' }])
})

import { expect, test } from 'vitest'
import { noteFailedSignIn } from '../../../src/fiscal/access/sessions.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { watched } from '../../support/alerting.ts'

test('sign-ins that fail without end fill the audit log by a hundred entries in 15 minutes, and the last one says so', async () => {
  const { store, clock, at } = await watched()
  const fail = () => noteFailedSignIn({ store, clock }, { user: null, address: '192.0.2.7', step: 'password' })
  for (let i = 0; i < 120; i++) await fail()
  const entries = () => store.audit.list(DEFAULT_TENANT, {}, { limit: 200, after: undefined })
  const written = await entries()
  expect(written).toHaveLength(100)
  expect(written[0]?.detail).toEqual({ name: null, address: '192.0.2.7', step: 'password', is_last: true })
  expect(written[1]?.detail).not.toHaveProperty('is_last')
  at(15.1)
  await fail()
  expect(await entries()).toHaveLength(101)
})

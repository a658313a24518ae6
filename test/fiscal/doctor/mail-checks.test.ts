import { expect, test } from 'vitest'
import { mailChecks } from '../../../src/fiscal/doctor/mail-checks.ts'
import type { Store } from '../../../src/fiscal/ports/store.ts'
import { inEnglish } from '../../support/diagnosis.ts'

interface Around {
  answer?: { ok: boolean; answer: string } | null
  addresses?: string[]
  role?: 'gateway' | 'server'
}

async function examine({ answer = { ok: true, answer: 'ready' }, addresses = [], role = 'gateway' }: Around) {
  const tenants = { list: async () => [{ id: 'default', name: 'default', createdAt: 0 }] }
  const store = { tenants, users: { list: async () => [] } } as unknown as Store
  const transport = answer && { check: async () => answer }
  const [examination] = mailChecks({ store, transport, alertTo: { addresses, language: 'hr' }, role })
  return inEnglish((await examination?.run()) ?? [])[0]
}

test('mail: a gateway without a mail server is fine, a central server should have one', async () => {
  expect(await examine({ answer: null })).toMatchObject({ name: 'mail', status: 'ok' })
  expect(await examine({ answer: null, role: 'server' })).toMatchObject({
    ...{ status: 'warn', fix: expect.stringContaining('FISKD_SMTP_URL') },
  })
})

test('mail: a mail server that cannot be used is a failure, with what it said', async () => {
  expect(await examine({ answer: { ok: false, answer: '535 no' } })).toMatchObject({
    ...{ status: 'fail', detail: expect.stringContaining('535 no'), fix: expect.stringContaining('fisk alert test') },
  })
})

test('mail: somebody should be told', async () => {
  expect(await examine({})).toMatchObject({ status: 'warn', detail: expect.stringContaining('nobody') })
  expect(await examine({ addresses: ['a@b.hr', 'c@d.hr'] })).toMatchObject({
    ...{ status: 'ok', detail: 'ready; alerts go to 2 addresses' },
  })
})

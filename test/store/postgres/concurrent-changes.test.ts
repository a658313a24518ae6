import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMailWords } from '../../../src/alerts/compose-mail.ts'
import { createMailTransport } from '../../../src/alerts/smtp-transport.ts'
import type { FiskError } from '../../../src/domain/errors.ts'
import { createAccounts } from '../../../src/fiscal/access/accounts.ts'
import { createApiKey, revokeApiKey } from '../../../src/fiscal/access/api-keys.ts'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { noteFailedSignIn, signIn } from '../../../src/fiscal/access/sessions.ts'
import { addUser, removeUser } from '../../../src/fiscal/access/users.ts'
import { createMailing } from '../../../src/fiscal/alerts/mailing.ts'
import { createLease } from '../../../src/fiscal/lease.ts'
import { printCopy } from '../../../src/fiscal/printing/print-jobs.ts'
import { setPrinter } from '../../../src/fiscal/printing/printers.ts'
import { addCertificate, revokeListed } from '../../../src/fiscal/registry/certificates.ts'
import { addCompany, changeCompany } from '../../../src/fiscal/registry/companies.ts'
import { importDevices } from '../../../src/fiscal/registry/device-import.ts'
import { addDevice, changeDevice } from '../../../src/fiscal/registry/devices.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { OIBS } from '../../support/oibs.ts'
import { overlap, processOn } from '../../support/overlap.ts'
import { OPERATOR } from '../../support/people.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { openShop } from '../../support/shop.ts'

const NOW = Date.UTC(2026, 10, 24)
const clock = { now: () => NOW }
const newUuid = randomUUID

/** Seals nothing: no secret is opened here. */
const VAULT = { seal: (secret: Buffer) => secret, open: (sealed: Buffer) => sealed } as never

async function shared() {
  const url = await postgresDatabase()
  const store = await processOn(url)
  const audited = async (action: string) =>
    (await query(url, 'SELECT 1 FROM audit_log WHERE action = $1', [action])).length
  return { url, store, audited }
}

/** `done`, or the status of the refusal. */
const ends = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'rejected' ? ((one.reason as FiskError).status ?? String(one.reason)) : 'done'))

describe.skipIf(skipWithoutPostgres)('of two processes on one database', () => {
  describe('who may do what:', () => {
    async function withUsers(...names: string[]) {
      const it = await shared()
      const password = 'correct horse battery'
      const made = []
      for (const name of names) {
        const wanted = { name, password, role: 'admin' as const, isPlatformAdmin: false }
        made.push(await addUser({ store: it.store, clock, newUuid }, OPERATOR, wanted))
      }
      return { ...it, password, users: made }
    }
    const as = ({ id }: { id: string }): Principal => ({ ...OPERATOR, id })

    test('two admins who remove each other leave one of them', async () => {
      const { url, store, users } = await withUsers('ana', 'ivo')
      const [ana, ivo] = users as [(typeof users)[0], (typeof users)[0]]
      const settled = await overlap(
        url,
        'users.list',
        (one) => removeUser({ store: one, clock }, as(ana), 'ivo'),
        (other) => removeUser({ store: other, clock }, as(ivo), 'ana'),
      )
      expect(ends(settled)).toEqual(['done', 409])
      expect((await store.users.list('default')).map(({ name }) => name)).toEqual(['ana'])
    })

    test('a sign-in that has begun before the reset of its account starts no session', async () => {
      const { url, password } = await withUsers('ana')
      const vault = VAULT
      const settled = await overlap(
        url,
        'sessions.removeExpired',
        (one) =>
          signIn({ store: one, clock, vault }, 'ana', password, {
            address: '::1',
            network: '::1',
            signal: AbortSignal.timeout(60_000),
          }),
        (other) => createAccounts({ store: other, clock }).reset(OPERATOR, 'ana', { password: 'another one, long' }),
      )
      expect(ends(settled)).toEqual(['done', 'done'])
      expect(await query(url, 'SELECT * FROM sessions')).toEqual([])
    })

    test('failed sign-ins are written into the audit log up to the limit, and not beyond', async () => {
      const { url, store } = await shared()
      const fail = (one: OpenStore) =>
        noteFailedSignIn({ store: one, clock }, { user: null, address: '::1', step: 'password' })
      for (let i = 0; i < 99; i++) await fail(store)
      await overlap(url, 'audit.countFrom', fail, fail)
      const written = await query<{ detail: string }>(url, 'SELECT detail FROM audit_log ORDER BY id')
      expect(written.map(({ detail }) => 'is_last' in JSON.parse(detail))).toEqual([...Array(99).fill(false), true])
    })

    test('an API key that both revoke is revoked once', async () => {
      const { url, store, audited } = await shared()
      const wanted = { mode: 'test' as const, scopes: ['invoices:read'], deviceId: null, name: null }
      const { id } = await createApiKey({ store, clock, newUuid }, OPERATOR, wanted)
      const revoke = (one: OpenStore) => revokeApiKey({ store: one, clock }, OPERATOR, id)
      expect(ends(await overlap(url, 'apiKeys.get', revoke, revoke))).toEqual(['done', 'done'])
      expect(await audited('api_key.revoked')).toBe(1)
    })
  })

  describe('companies and certificates:', () => {
    const parts = {
      clock,
      newUuid,
      chains: { validate: async () => ({ trusted: true as const }) },
      trust: { certificates: () => [], revokedAt: () => null },
    }
    const newCompany = {
      ...{ name: 'Kava', oib: OIBS[0] as string, vatRegistered: true, address: {}, fiscalConfig: {} },
      mode: 'test' as const,
    }
    /** Uploads whose file was opened before; `trustedIn` is the mode whose bundle it chains to. */
    const upload = (store: OpenStore, companyId: string, trustedIn: 'test' | 'live', revokedAt: () => number | null) =>
      addCertificate(
        {
          ...parts,
          store,
          opener: {
            open: async () => ({
              ...{ privateKey: Buffer.from('key'), certificate: Buffer.from(randomUUID()), intermediates: [] },
              ...{ subjectOib: OIBS[0] as string, oibElsewhere: null, subjectCn: 'FISKAL' },
              ...{ issuer: 'CN=CA', serial: randomUUID() },
              ...{ notBefore: 0, notAfter: NOW * 2 },
            }),
          },
          trust: { certificates: (mode) => [Buffer.from(mode)], revokedAt },
          chains: {
            validate: async (_leaf, _between, bundle) =>
              String(bundle[0]) === trustedIn ? { trusted: true } : { trusted: false, reason: 'not of it' },
          },
          vault: VAULT,
        },
        OPERATOR,
        { companyId, file: Buffer.from('file'), passphrase: '', label: null },
      )
    const inUse = 'SELECT id FROM certificates WHERE superseded_at IS NULL AND revoked_at IS NULL'

    test('an OIB that one tenant adds does not come back from the archive of another', async () => {
      const { url, store } = await shared()
      await store.tenants.insert({ id: 'others', name: 'others', createdAt: 1 })
      const others = { ...OPERATOR, tenantId: 'others' }
      const { id } = await addCompany({ store, clock }, others, newCompany)
      await changeCompany({ ...parts, store }, others, id, { status: 'archived' })
      const settled = await overlap(
        url,
        'companies.insert',
        (one) => addCompany({ store: one, clock }, OPERATOR, newCompany),
        (other) => changeCompany({ ...parts, store: other }, others, id, { status: 'active' }),
      )
      expect(ends(settled)).toEqual(['done', 409])
      expect((await store.companies.get(id))?.status).toBe('archived')
    })

    test('a change of a company refuses one whose author has not seen it', async () => {
      const { url, store } = await shared()
      const { id } = await addCompany({ store, clock }, OPERATOR, newCompany)
      const rename = (name: string) => (one: OpenStore) =>
        changeCompany({ ...parts, store: one }, OPERATOR, id, { name }, undefined, { name: 'Kava' })
      expect(ends(await overlap(url, 'companies.get', rename('Kava 1'), rename('Kava 2')))).toEqual(['done', 409])
      expect((await store.companies.get(id))?.name).toBe('Kava 1')
    })

    test('two uploads leave one certificate in use', async () => {
      const { url, store, audited } = await shared()
      const { id } = await addCompany({ store, clock }, OPERATOR, newCompany)
      const add = (one: OpenStore) => upload(one, id, 'test', () => null)
      expect(ends(await overlap(url, 'certificates.insert', add, add))).toEqual(['done', 'done'])
      expect(await query(url, inUse)).toHaveLength(1)
      expect(await audited('certificate.superseded')).toBe(1)
    })

    test('a company that goes live gets no test certificate meanwhile', async () => {
      const { url, store } = await shared()
      const { id } = await addCompany({ store, clock }, OPERATOR, newCompany)
      await upload(store, id, 'live', () => null)
      const settled = await overlap(
        url,
        'certificates.current',
        (one) => changeCompany({ ...parts, store: one }, OPERATOR, id, { mode: 'live' }),
        (other) => upload(other, id, 'test', () => null),
      )
      expect(ends(settled)).toEqual(['done', 400])
      expect((await store.companies.get(id))?.mode).toBe('live')
    })

    test('a revocation list that arrives during an upload is not missed', async () => {
      const { url, store } = await shared()
      const { id } = await addCompany({ store, clock }, OPERATOR, newCompany)
      let listed: number | null = null
      const settled = await overlap(
        url,
        'certificates.insert',
        (one) => upload(one, id, 'test', () => listed),
        (other) => {
          listed = 5
          return revokeListed({ store: other, clock, trust: { revokedAt: () => listed } }, 'test')
        },
      )
      expect(settled[1]).toMatchObject({ status: 'fulfilled', value: 1 })
      expect(await query(url, inUse)).toEqual([])
    })
  })

  describe('devices and printers:', () => {
    async function withShop() {
      const it = await shared()
      const shop = await openShop(it.store)
      return { ...it, shop, device: { ...(await it.store.devices.get(shop.deviceId)) } }
    }
    const newOne = (companyId: string, label: string, isuNumber: string) => ({
      ...{ companyId, premisesCode: 'KIOSK2', premisesAddress: null, label, isuNumber, deviceConfig: {} },
    })

    test('a label that both give is refused to the second one by name', async () => {
      const { url, shop } = await withShop()
      const add = (isuNumber: string) => (one: OpenStore) =>
        addDevice({ store: one, clock, newUuid }, OPERATOR, newOne(shop.companyId, 'Bar', isuNumber))
      const settled = await overlap(url, 'devices.insert', add('201'), add('202'))
      expect(settled[1]).toMatchObject({ reason: { status: 409, reason: 'label_taken' } })
    })

    test('an ISU number that both give, alone and in a file, belongs to one device', async () => {
      const { url, shop } = await withShop()
      const row = {
        line: 2,
        label: 'File',
        premisesCode: 'KIOSK2',
        isuNumber: '201',
        deviceConfig: null,
        companyOib: null,
      }
      const settled = await overlap(
        url,
        'devices.insert',
        (one) => addDevice({ store: one, clock, newUuid }, OPERATOR, newOne(shop.companyId, 'Bar', '201')),
        (other) =>
          importDevices({ store: other, clock, newUuid }, OPERATOR, {
            ...{ companyId: shop.companyId, rows: [row], dryRun: false },
          }),
      )
      expect(settled).toMatchObject([
        { status: 'fulfilled' },
        { value: { created: 0, failed: 1, errors: [{ reason: 'isu_number_taken' }] } },
      ])
    })

    test('a change of a device refuses one whose author has not seen it', async () => {
      const { url, store, shop, device } = await withShop()
      const rename = (label: string) => (one: OpenStore) =>
        changeDevice({ store: one, clock, newUuid }, OPERATOR, shop.deviceId, { label }, undefined, {
          label: String(device.label),
        })
      expect(ends(await overlap(url, 'devices.get', rename('One'), rename('Other')))).toEqual(['done', 409])
      expect((await store.devices.get(shop.deviceId))?.label).toBe('One')
    })

    const spool = { wake: () => {}, reload: async () => {}, condition: () => undefined } as never
    const line = 'tcp:192.0.2.1:9100'

    test('two copies of a receipt have numbers of their own', async () => {
      const { url, store, shop } = await withShop()
      const { id } = await shop.sold()
      await store.printers.put({ deviceId: shop.deviceId, line, profile: 'generic', overrides: {}, expireAfterS: 90 })
      const copy = (one: OpenStore) => printCopy({ store: one, clock, spool }, OPERATOR, id)
      const settled = await overlap(url, 'printJobs.lastCopy', copy, copy)
      expect(settled).toMatchObject([{ value: { copy: 1 } }, { value: { copy: 2 } }])
    })

    test('two settings of a printer are both kept', async () => {
      const { url, store, shop } = await withShop()
      await store.printers.put({ deviceId: shop.deviceId, line, profile: 'generic', overrides: {}, expireAfterS: 90 })
      const drawing = { settingsOf } as never
      const paths = { isOwnPath: () => false, realLine: async (name: string) => name }
      const set = (changes: Parameters<typeof setPrinter>[3]) => (one: OpenStore) =>
        setPrinter({ store: one, clock, spool, drawing, ...paths }, OPERATOR, shop.deviceId, changes)
      await overlap(url, 'printers.get', set({ expireAfterS: 30 }), set({ profile: 'custom-kpm' }))
      expect(await store.printers.get(shop.deviceId)).toMatchObject({ expireAfterS: 30, profile: 'custom-kpm' })
    })
  })

  describe('mails:', () => {
    async function withMailing() {
      const it = await shared()
      const mailServer = await startMailServer()
      const server = { host: '127.0.0.1', port: mailServer.port, secure: false, login: null }
      const words = createMailWords({ dashboardUrl: 'https://office.example.hr', host: 'office' })
      const transport = createMailTransport({ server, from: 'fiskd <fiskd@example.hr>' })
      const alert = { id: randomUUID(), tenantId: 'default', kind: 'disk_short', subject: 'disk', detail: {} }
      await it.store.alerts.raise({ ...alert, raisedAt: NOW - 600_000 })
      // Both believe that they hold the lease: one of them was stopped for longer than it lasts.
      const lease = { hold: async () => true, release: async () => {} }
      const alertTo = { addresses: ['boss@example.com'], language: 'en' as const }
      const onMail = () => {}
      const pass = (store: OpenStore) =>
        createMailing({ store, clock, newUuid, lease, words, transport, alertTo, onMail })()
      return { ...it, mailServer, pass }
    }

    test.each(['mails.untold', 'mails.get'])('an alert is told once, also after both were at %s', async (at) => {
      const { url, mailServer, pass } = await withMailing()
      expect(ends(await overlap(url, at, pass, pass))).toEqual(['done', 'done'])
      expect(mailServer.mails).toHaveLength(1)
    })

    test('the one whose clock is ahead takes no lease of the other', async () => {
      const { url, store } = await withMailing()
      const other = await processOn(url)
      const held = createLease({ store, clock }, 'alerts', 'one')
      const ahead = createLease({ store: other, clock: { now: () => NOW + 3_600_000 } }, 'alerts', 'other')
      expect([await held.hold(), await ahead.hold()]).toEqual([true, false])
      await query(url, 'UPDATE leases SET expires_at = expires_at - 60000')
      expect(await ahead.hold()).toBe(true)
    })
  })
})

import { expect, onTestFinished, test } from 'vitest'
import { storeFleet } from '../../scripts/bench/stored-sales.ts'
import { FiskError } from '../../src/domain/errors.ts'
import { blockerWords, sayReported } from '../../src/domain/texts/blocker-texts.ts'
import type { Blocker } from '../../src/fiscal/doctor/blockers/blocker.ts'
import { type BlockerDeps, findBlockers } from '../../src/fiscal/doctor/blockers/sale-blockers.ts'
import { LANGUAGES } from '../../src/fiscal/ports/model.ts'
import { type OpenStore, openStore } from '../../src/store/store.ts'
import { forBoth } from '../support/clocks.ts'
import { freshDatabase } from '../support/database.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 8, 23)

async function opened(): Promise<OpenStore> {
  const store = await openStore(await freshDatabase(), NOW)
  onTestFinished(() => store.close())
  return store
}

/** What is in the way; nobody signs here unless `changes` say so. */
async function blockersOf(store: OpenStore, changes: Partial<BlockerDeps> = {}, deviceId?: string) {
  const clock = forBoth({
    now: () => NOW,
    present: () => ({ now: NOW, earliest: NOW, latest: NOW }),
    proven: () => NOW,
  })
  const deps: BlockerDeps = {
    store,
    clock,
    trust: { certificates: () => [Buffer.from('root')], given: () => null },
    identities: { current: async () => ({}) as never },
    chains: { validate: async () => ({ trusted: true }) as never },
    lookAtDisk: async () => ({ freeBytes: 1e9, room: 'everything' }),
    issued: { lost: () => [] },
    ...changes,
  }
  const device = deviceId === undefined ? undefined : await store.devices.get(deviceId)
  return (await findBlockers(deps, device)).problems
}

const failing = (code: ConstructorParameters<typeof FiskError>[0]) => ({
  identities: { current: () => Promise.reject(new FiskError(code, 'no')) },
})

test('whatever a gateway says is in its way is told in both languages as if it were here', async () => {
  const found: Blocker[] = []
  const empty = await opened()
  const full = { lookAtDisk: async () => ({ freeBytes: 0, room: 'no_sales' as const }) }
  found.push(...(await blockersOf(empty, full)))
  const mute = { ...empty, ping: () => Promise.reject(new Error('disk I/O error')) }
  found.push(...(await blockersOf(mute)))

  const store = await opened()
  const { companyId, certificateId, deviceIds } = await storeFleet(store, NOW - DAY)
  found.push(...(await blockersOf(store, { trust: { certificates: () => [], given: () => null } })))
  found.push(
    ...(await blockersOf(store, { chains: { validate: async () => ({ trusted: false, reason: 'x' }) as never } })),
  )
  found.push(...(await blockersOf(store, { identities: { current: () => Promise.reject(new Error('sealed')) } })))
  found.push(...(await blockersOf(store, failing('hr.certificate_oib_mismatch'))))
  found.push(...(await blockersOf(store, failing('certificate_expired'))))
  const early = forBoth({ now: () => NOW - 2 * DAY, present: () => ({}) as never, proven: () => NOW })
  found.push(...(await blockersOf(store, { ...failing('certificate_expired'), clock: early })))
  found.push(...(await blockersOf(store, failing('company_missing_certificate'))))
  await store.certificates.revoke(certificateId, NOW)
  found.push(...(await blockersOf(store, failing('company_missing_certificate'))))

  await store.numbering.setHighest(
    { companyId, mode: 'test', premisesCode: 'POSL1', year: 2026, register: '' },
    '9'.repeat(20),
  )
  const [first, second, third] = deviceIds as [string, string, string]
  await store.devices.update(first, { isuNumber: null, isuStatus: 'pending' })
  await store.devices.update(second, { isuStatus: 'mismatch' })
  await store.devices.update(third, { status: 'suspended' })
  found.push(...(await blockersOf(store)))
  await store.devices.update(third, { status: 'archived' })
  found.push(...(await blockersOf(store, {}, third)))
  for (const id of deviceIds) await store.devices.update(id, { status: 'active', isuStatus: 'mismatch', isuNumber: id })
  found.push(...(await blockersOf(store)))
  for (const id of deviceIds) await store.devices.update(id, { isuStatus: 'pending', isuNumber: null })
  found.push(...(await blockersOf(store)))
  for (const id of deviceIds) await store.devices.update(id, { status: 'suspended' })
  found.push(...(await blockersOf(store)))
  await store.companies.update(companyId, { status: 'suspended' })
  found.push(...(await blockersOf(store)))

  expect([...new Set(found.map(({ cause }) => cause))].sort()).toEqual([
    ...['certificate_early', 'certificate_expired', 'certificate_missing', 'certificate_of_other_oib'],
    ...['certificate_revoked', 'certificate_untrusted', 'company_inactive', 'device_archived', 'device_suspended'],
    ...[
      'disk_full',
      'isu_mismatch',
      'isu_missing',
      'key_unreadable',
      'no_company',
      'no_device',
      'no_trust',
      'no_writes',
      'numbers_used_up',
    ],
  ])
  for (const blocker of found) {
    for (const language of LANGUAGES) {
      const [what, todo] = blockerWords(blocker.cause, blocker, language)
      expect(sayReported(blocker, language)).toEqual({ what, todo })
    }
  }
})

test('what brings missing CA certificates is told by who writes the base; another machine is asked itself', async () => {
  const store = await opened()
  await storeFleet(store, NOW - DAY)
  const missing = async (path: string | null) => {
    const found = await blockersOf(store, { trust: { certificates: () => [], given: () => path } })
    return found.find(({ cause }) => cause === 'no_trust')
  }
  const own = await missing(null)
  expect(own?.fix).toMatch(/^fisk trust fetch --mode (test|live)$/)
  expect((await missing('/etc/cas.pem'))?.fix).toBe('put the CA certificates into /etc/cas.pem')
  for (const language of LANGUAGES) expect(own && sayReported(own, language).todo).toContain('fisk doctor')
})

test('of a cause that only a newer gateway knows, the cause is shown', () => {
  expect(sayReported({ cause: 'battery_flat', subject: 'battery' }, 'hr')).toEqual({
    what: 'battery: battery_flat',
    todo: null,
  })
})

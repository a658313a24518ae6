import { expect, test } from 'vitest'
import { alertWords } from '../../../src/domain/alert-texts/alert-texts.ts'
import { findingsRule } from '../../../src/fiscal/alerts/device-rules.ts'
import { sellingIn, watched, watchOf } from '../../support/alerting.ts'

const MINUTE_MS = 60_000

async function shop() {
  const { store, time, news, ...it } = await watched()
  const { sell, company, device } = await sellingIn(store, time.now)
  const look = watchOf({ store, ...it }, [findingsRule(store)])
  const { document } = await sell()
  let number = Number(document.number)
  /** A sale that got its JIR, with the parts of a document. */
  async function sold(changes: Partial<typeof document> = {}, deliveryFindings: string | null = null) {
    time.now += MINUTE_MS
    const confirmed = { status: 'confirmed', jir: String(time.now), confirmedAt: time.now } as const
    const row = { ...confirmed, occurredAt: time.now, deliveryFindings }
    await sell({ ...row, document: { ...document, number: String(++number), ...changes } })
    await store.devices.update(device.id, { lastSuccessAt: time.now })
  }
  return { store, look, news, company, device, sold }
}

const WRONG = { total: '2.60' }
const DEPOSIT = { total: '2.50', fees: [{ name: 'Povratna naknada', amount: '0.10' }] }

test('a mistake in three of the latest ten sales is one alert, which ends when fewer than three have it', async () => {
  const { store, look, news, device, company, sold } = await shop()
  await sold(WRONG)
  await sold(WRONG)
  await look()
  expect(news()).toEqual([])
  await sold(WRONG)
  await look()
  await look()
  expect(news()).toEqual(['+sale_findings'])
  expect(await store.alerts.open(null)).toMatchObject([
    {
      ...{ kind: 'sale_findings', subject: device.id },
      detail: { device_id: device.id, company_id: company.id, mode: 'test', codes: ['v166'], taxes_whole_total: false },
    },
  ])
  for (let right = 0; right < 7; right++) await sold()
  await look()
  expect(news()).toEqual([])
  await sold()
  await look()
  expect(news()).toEqual(['-sale_findings'])
})

test('different mistakes are not added up', async () => {
  const { look, news, sold } = await shop()
  await sold(WRONG)
  await sold({ specialPurpose: 'ručak' })
  await sold({}, 'v101')
  await sold({}, 'v101')
  await look()
  expect(news()).toEqual([])
})

const todoOf = async (store: Awaited<ReturnType<typeof shop>>['store'], language: 'en' | 'hr') => {
  const [alert] = await store.alerts.open(null)
  return alertWords(alert ?? { kind: '', detail: {} }, language).todo
}

test('sales that an outage delivered late are no mistake of a machine', async () => {
  const { store, look, news, sold } = await shop()
  for (const found of ['v152', 'v153', 'v153', 'v153']) await sold({}, found)
  await look()
  expect(news()).toEqual([])
  for (let sale = 0; sale < 3; sale++) await sold(WRONG, 'v153')
  await look()
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ codes: ['v166'] })
})

test('where a clock was wrong, the clocks are to be checked and not what the device sends', async () => {
  const { store, look, sold } = await shop()
  for (let sale = 0; sale < 3; sale++) await sold({}, 'v101')
  await look()
  expect(await todoOf(store, 'en')).toMatch(
    /^Have your technician check the clocks of the device and of the computer\. The alert/,
  )
  expect(await todoOf(store, 'hr')).toMatch(/^Zamolite tehničara da provjeri sat uređaja i sat računala\. Upozorenje/)
})

test('a company that has VAT taken out of the whole total, deposits included, is named with what to set', async () => {
  const { store, look, company, sold } = await shop()
  const configure = (fiscalConfig: Record<string, string>) => store.companies.update(company.id, { fiscalConfig })
  const isNamed = async () => {
    await look()
    const { detail } = (await store.alerts.open(null))[0] ?? {}
    expect(detail).toMatchObject({ codes: ['v166'] })
    for (const language of ['en', 'hr'] as const)
      expect((await todoOf(store, language)).includes(company.name)).toBe(detail?.taxes_whole_total)
    return detail?.taxes_whole_total
  }
  for (let sale = 0; sale < 3; sale++) await sold(DEPOSIT)
  // Without a default rate the firmware has sent it so.
  expect(await isNamed()).toBe(false)
  await configure({ default_vat_rate: '25.00' })
  expect(await isNamed()).toBe(true)
  for (const other of [{ default_vat_rate: '13.00' }, { default_vat_rate: '25.00', default_vat_base: 'taxable' }]) {
    await configure(other)
    expect(await isNamed()).toBe(false)
  }
})

test('parts that are not the total without a deposit among them have another cause than the setting', async () => {
  const { store, look, company, sold } = await shop()
  await store.companies.update(company.id, { fiscalConfig: { default_vat_rate: '25.00' } })
  for (let sale = 0; sale < 3; sale++) await sold({ total: '2.60' })
  await look()
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ codes: ['v166'], taxes_whole_total: false })
})

test('a machine that is suspended has no such alert any more', async () => {
  const { store, look, news, device, sold } = await shop()
  for (let sale = 0; sale < 3; sale++) await sold(WRONG)
  await look()
  await store.devices.update(device.id, { status: 'suspended' })
  await look()
  expect(news()).toEqual(['+sale_findings', '-sale_findings'])
})

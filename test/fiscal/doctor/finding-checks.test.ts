import { expect, test } from 'vitest'
import { findingChecks } from '../../../src/fiscal/doctor/finding-checks.ts'
import { examine } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { storeOf } from '../../support/healthy.ts'

test('findings: what the authority will find in the latest sales is told by code, with the company whose setting is why', async () => {
  const gateway = await startGateway()
  const store = await storeOf(gateway)
  const found = async () => (await examine(findingChecks(store))).map(({ name, ...check }) => ({ ...check, name }))
  const configure = (fiscal_config: object) =>
    gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: { fiscal_config } })
  const fees = [{ name: 'Povratna naknada', amount: '0.10' }]
  await configure({ default_vat_rate: '25.00' })
  await gateway.sell()
  expect(await found()).toEqual([
    { name: 'findings', status: 'ok', detail: 'none in the latest sales of any device', fix: null },
  ])

  await gateway.sell({ total: '1.50', fees })
  await gateway.sell({ total: '1.50', fees, special_purpose: 'ručak' })
  const told = await found()
  expect(told.map(({ status }) => status)).toEqual(['warn', 'warn', 'warn'])
  expect(told[0]?.detail).toBe('v141 in the latest sales of machine (1/3): the special purpose is not empty')
  expect(told[1]?.detail).toMatch(
    /^v166 in the latest sales of machine \(2\/3\): VAT bases, .* do not add up to the total$/,
  )
  expect(told[2]).toMatchObject({
    detail: expect.stringMatching(/^Samoposluga d\.o\.o\. sells with fees .*default_vat_base is not "taxable"$/),
    fix: expect.stringMatching(/^fisk company set \d{11} --config default_vat_base=taxable$/),
  })

  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  expect((await found()).map(({ detail }) => detail.slice(0, 4))).toEqual(['v141', 'v166'])
  for (let right = 0; right < 10; right++) await gateway.sell({ total: '1.50', fees })
  expect(await found()).toMatchObject([{ status: 'ok' }])
})

test('a sale that was delivered late is told as such, and nothing in it is to be corrected', async () => {
  const gateway = await startGateway()
  const occurred_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await gateway.sell({ occurred_at, vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }] })
  expect(await examine(findingChecks(await storeOf(gateway)))).toMatchObject([
    {
      detail: expect.stringMatching(/^v152 in the latest sales/),
      fix: expect.stringMatching(/^nothing is to be corrected/),
    },
  ])
})

test('other work goes on between the machines of a fleet', async () => {
  const machines = Array.from({ length: 40 }, (_, i) => ({ id: `d${i}`, companyId: 'c', createdAt: i }))
  const store = {
    companies: { ours: async () => [{ id: 'c', status: 'active', mode: 'test', fiscalConfig: {} }] },
    devices: { list: async () => machines },
    invoices: { list: async () => [] },
  }
  let turns = 0
  const count = () => {
    turns++
    if (turns < 1000) setImmediate(count)
  }
  setImmediate(count)
  await examine(findingChecks(store as never))
  expect(turns).toBeGreaterThanOrEqual(machines.length)
  turns = 1000
})

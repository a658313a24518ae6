import { expect, test } from 'vitest'
import { FAULT_LENGTH } from '../../src/domain/text-lengths.ts'
import { SYNC_BOUNDS } from '../../src/sync/wire/bounds.ts'
import { startEnrolled, told } from '../support/central-server.ts'
import { inDatabase, storeConfig } from '../support/database.ts'
import type { InvoiceBody } from '../support/gateway.ts'
import { CHARACTERS, largestRequest } from '../support/large-rows.ts'
import { ringLogo } from '../support/logos.ts'

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

test('the largest sale that /v1 takes is sold on a gateway and found at its server, with its messages', async () => {
  const { server, gateway } = await startEnrolled()
  const sold: InvoiceBody[] = []
  for (const character of CHARACTERS) {
    const named = (length: number) => character.repeat(length - 1) + sold.length
    const address = { street: named(200), city: named(200), postal_code: named(200), country: named(200) }
    const company = { name: named(200), address }
    const changed = await gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: company })
    expect(changed.status, changed.text).toBe(200)
    const lines = times(20, character.repeat(200))
    const device_id = await gateway.addDevice({
      ...{ label: named(200), premises_address: named(500), premises_code: `LARGEST${sold.length}`.padEnd(20, '0') },
      ...{ isu_number: `${sold.length + 10}`, device_config: { receipt: { header: lines, footer: lines } } },
    })
    sold.push(await gateway.sell({ device_id, ...largestRequest(character) }))
  }
  expect((await told(gateway)).refusals).toEqual([])
  for (const { id, jir } of sold) {
    expect(jir).not.toBeNull()
    const path = `/v1/invoices/${id}?include_messages=true`
    const [here, there] = await Promise.all([gateway, server].map((one) => one.admin<InvoiceBody>(path)))
    expect(there?.status).toBe(200)
    expect(there?.body.jir).toBe(jir)
    expect(there?.body.messages.map(({ request_xml }) => request_xml)).toEqual(
      here?.body.messages.map(({ request_xml }) => request_xml),
    )
    expect(there?.body.messages[0]?.request_xml).toContain('<')
  }
  const [facts] = await inDatabase(
    gateway,
    'SELECT max(octet_length(document) + octet_length(receipt)) AS bytes FROM invoices',
  )
  // The bound has no more room than the other fields of a row need.
  expect(Number(facts?.bytes)).toBeGreaterThan(0.9 * SYNC_BOUNDS.row.most)
  expect(Number(facts?.bytes)).toBeLessThan(SYNC_BOUNDS.row.most - 3000)
})

test('a company, a certificate and a device with all that /v1 takes are found at the server', async () => {
  const { server, gateway } = await startEnrolled()
  const filled = (bytes: number) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(ringLogo())]), 'logo.png')
  form.set('width_mm', '72')
  const company = `/v1/companies/${gateway.companyId}`
  expect((await gateway.admin(`${company}/logo`, { method: 'PUT', body: form })).status).toBe(200)
  const body = { name: '\u{1F600}'.repeat(200), address: filled(32_768), fiscal_config: filled(32_768) }
  expect((await gateway.admin(company, { method: 'PATCH', body })).status).toBe(200)
  const device_id = await gateway.addDevice({
    ...{ label: '\u{1F600}'.repeat(200), premises_code: 'FULL', isu_number: '9' },
    device_config: filled(32_768),
  })
  await gateway.sell({ device_id })
  expect((await told(gateway)).refusals).toEqual([])
  const { data } = (await server.admin<{ data: unknown[] }>('/v1/companies')).body
  expect(data).toMatchObject([{ address: body.address, fiscal_config: body.fiscal_config }])
  expect((await server.admin<{ data: unknown[] }>('/v1/devices')).body.data).toContainEqual(
    expect.objectContaining({ id: device_id }),
  )
})

test('a long refusal of the tax authority is kept with its beginning, and told', async () => {
  const { server, gateway } = await startEnrolled()
  gateway.cis.misbehave({ error: 's001', message: '\u{1F600}'.repeat(12_000) })
  const { status, id } = await gateway.sell()
  expect(status).toBe('failed')
  expect((await told(gateway)).refusals).toEqual([])
  const { messages } = (await server.admin<InvoiceBody>(`/v1/invoices/${id}?include_messages=true`)).body
  expect(messages).toMatchObject([{ error_message: `s001: ${'\u{1F600}'.repeat(FAULT_LENGTH - 's001: '.length)}` }])
  expect(messages[0]?.response_xml?.length).toBeGreaterThan(24_000)
})

test('what a configuration says beside what is read of it is in no record, and its sales are told', async () => {
  const { gateway } = await startEnrolled()
  const line = { rate: '5.00', base: '1.00', amount: '0.05', note: 'x'.repeat(3000) }
  const device_config = {
    ...{ vat: [line], consumption_tax: [{ ...line, rate: '3.00' }], other_taxes: [{ ...line, name: 'Porez' }] },
    ...{
      fees: [{ name: 'Naknada', amount: '0.10', note: 'x' }],
      receipt: { header: ['half a pair: \ud800'], footer: [] },
    },
  }
  const device_id = await gateway.addDevice({ premises_code: 'NOTES', isu_number: '9' })
  await storeConfig(gateway, { deviceId: device_id }, device_config)
  await gateway.sell({ device_id })
  expect((await told(gateway)).refusals).toEqual([])
})

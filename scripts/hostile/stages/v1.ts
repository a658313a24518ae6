import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Question } from '../../chaos/http.ts'
import { JSON_TYPE } from '../../chaos/http.ts'
import { changedJson, encoded, endless } from '../changes.ts'
import { type Stage, times } from '../stage.ts'

const line = { rate: '25.00', base: '2.00', amount: '0.50' }

/** Requests of `/v1` made from valid ones: bodies, queries, ids and headers, with a key bound to one machine and with one for the fleet. */
export const v1: Stage = {
  name: 'requests of /v1',
  share: 0.36,
  async run({ world: { gateway, hostile, bystander }, seed, send }, count) {
    const [own, others] = [hostile.shop.machines[0]?.id, bystander.machines[0]?.id]
    const sale = () => ({
      device_id: own,
      occurred_at: new Date().toISOString(),
      total: '2.50',
      payment_method: 'G',
      number: null,
      vat: [line],
      consumption_tax: [],
      other_taxes: [{ name: 'a', ...line }],
      fees: [{ name: 'b', amount: '0.10' }],
      items: [{ name: 'Kava', quantity: '1', unit_price: '2.50', amount: '2.50' }],
      special_purpose: 'x',
      currency: 'EUR',
    })
    const device = {
      company_id: hostile.shop.companyId,
      premises_code: 'POSL1',
      label: 'x',
      isu_number: '9',
      device_config: { a: 1 },
    }
    const company = {
      name: 'x',
      oib: '18683136487',
      vat_registered: true,
      address: { city: 'a' },
      fiscal_config: { vat: [line] },
    }
    const query = {
      limit: '10',
      cursor: 'eyJ',
      from: new Date().toISOString(),
      status: 'confirmed',
      device_id: own,
      q: 'x',
    }
    const sales = endless(changedJson(sale()), seed)
    const devices = endless(changedJson(device), seed)
    const companies = endless(changedJson(company), seed)
    const queries = endless(changedJson(query), seed)
    const words = endless(fc.string({ unit: 'binary', maxLength: 60 }), seed)
    const post = (path: string, body: string, key: string): Question => {
      const headers = { ...JSON_TYPE, authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
      return { method: 'POST', path, headers, body }
    }
    const get = (path: string, key: string): Question => ({ path, headers: { authorization: `Bearer ${key}` } })
    const word = () => encoded(words.next().value) || 'x'
    const kinds: ((n: number) => Question)[] = [
      () => post('/v1/invoices', sales.next().value, hostile.boundKey),
      () => post('/v1/invoices', sales.next().value, hostile.boundKey),
      () => post('/v1/invoices', sales.next().value.replaceAll(String(own), String(others)), hostile.boundKey),
      () => post('/v1/devices', devices.next().value, hostile.fleetKey),
      () => ({ ...post(`/v1/devices/${own}`, devices.next().value, hostile.fleetKey), method: 'PATCH' }),
      () => post('/v1/companies', companies.next().value, hostile.fleetKey),
      () => ({
        ...post(`/v1/companies/${hostile.shop.companyId}`, companies.next().value, hostile.boundKey),
        method: 'PATCH',
      }),
      () => get(`/v1/invoices?${queryOf(queries.next().value)}`, hostile.boundKey),
      () => get(`/v1/invoices/${word()}?include_messages=${word()}`, hostile.boundKey),
      () =>
        get(
          `/v1/${['devices', 'companies', 'certificates'][seed % 3]}?${queryOf(queries.next().value)}`,
          hostile.fleetKey,
        ),
      () => post(`/v1/invoices/${word()}/retry`, '', hostile.boundKey),
      () => get('/v1/invoices', `fisk_test_${word()}`),
      (n) => {
        const question = post('/v1/invoices', JSON.stringify(sale()), hostile.boundKey)
        const name = ['idempotency-key', 'content-type', 'authorization', 'x-include-messages', 'x-tenant'][n % 5] ?? ''
        return { ...question, headers: { ...question.headers, [name]: word() } }
      },
      () => ({ method: 'PUT', path: `/v1/${word()}`, body: '{}' }),
    ]
    await times(count, (n) => send(gateway, kinds[n % kinds.length]?.(n) as Question))
  },
}

/** A changed object as a query; what is none becomes one parameter. */
function queryOf(json: string): string {
  try {
    return new URLSearchParams(
      Object.entries(JSON.parse(json)).map(
        ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
      ),
    ).toString()
  } catch {
    return new URLSearchParams({ limit: json.slice(0, 2000) }).toString()
  }
}

import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const numbers = async () => {
  const { body } = await gateway.admin<{ data: { number: string }[] }>('/v1/invoices?limit=200')
  return body.data.map(({ number }) => number)
}
const refused = (param: string) => ({ status: 400, body: { error: { code: 'invalid_request', param } } })

test.each([
  ['twice with one value', (key: string) => [key, key]],
  ['with an empty second line', (key: string) => [key, '']],
  ['with an empty first line', (key: string) => ['', key]],
  ['three times', (key: string) => [key, key, key]],
])('a sale whose idempotency key stands there %s is refused, and does not become a second sale', async (how, lines) => {
  const key = `repeated ${how}`
  const body = gateway.sale()
  const first = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': key } })
  const before = await numbers()
  const again = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': lines(key) } })
  expect(again).toMatchObject(refused('Idempotency-Key'))
  expect(await numbers()).toEqual(before)
  expect(await gateway.v1('/invoices', { body, headers: { 'idempotency-key': key } })).toMatchObject({
    status: 200,
    text: first.text,
  })
})

test.each([
  ['Content-Type', { 'content-type': ['application/json', 'application/json'] }],
  ['Authorization', { authorization: ['Bearer a', 'Bearer b'] }],
  ['X-Include-Messages', { 'x-include-messages': ['true', 'true'] }],
])('a sale with two lines of %s is refused before anything is stored', async (param, headers) => {
  const before = await numbers()
  const sale = { body: gateway.sale(), headers: { 'idempotency-key': `two of ${param}`, ...headers } }
  expect(await gateway.v1('/invoices', sale)).toMatchObject(refused(param))
  expect(await numbers()).toEqual(before)
})

test('two idempotency keys are refused over the admin socket, and beside a file', async () => {
  const two = { 'idempotency-key': ['a', 'a'] }
  const company = { body: { name: 'Druga', oib: OIBS[1] }, headers: two }
  expect(await gateway.admin('/v1/companies', company)).toMatchObject(refused('Idempotency-Key'))
  const body = new FormData()
  body.set('file', new Blob(['label,premises_code\na,P1\n']), 'devices.csv')
  body.set('company_id', gateway.companyId)
  const upload = { body, headers: two }
  expect(await gateway.admin('/v1/devices/import', upload)).toMatchObject(refused('Idempotency-Key'))
  expect(await gateway.admin('/admin/sweep', { method: 'POST', headers: two })).toMatchObject(
    refused('Idempotency-Key'),
  )
})

test('a wrong API key is refused before a repeated header', async () => {
  const headers = { authorization: 'Bearer fisk_test_wrong', 'idempotency-key': ['a', 'a'] }
  const answer = await gateway.v1('/invoices', { body: gateway.sale(), headers })
  expect(answer).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } })
})

test('of any other header the first line counts', async () => {
  const headers = { 'x-request-id': ['first', 'second'], accept: ['application/json', 'text/html'] }
  const answer = await gateway.v1('/invoices?limit=1', { headers })
  expect(answer).toMatchObject({ status: 200, headers: { 'x-request-id': 'first' } })
})

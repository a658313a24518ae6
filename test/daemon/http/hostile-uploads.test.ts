import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPkcs12 } from '../../../src/certificates/pkcs12.ts'
import { dashboardOf } from '../../support/dashboard.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { slowPkcs12 } from '../../support/hostile-pkcs12.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'

const slow = { p12: slowPkcs12(), passphrase: 'lozinka' }

interface Begun {
  /** Undefined when the caller has left before. */
  answer: Promise<{ status: number | undefined; retryAfter: string | undefined } | undefined>
  leave(): void
}

/** Posts a file over the admin socket, as a caller who may leave before the answer. */
async function begin(gateway: Gateway, { p12, passphrase }: typeof slow): Promise<Begun> {
  const encoded = new Response(formOf(gateway, p12, passphrase))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const asked = request({ socketPath: gateway.socketPath, path: '/v1/certificates', method: 'POST', headers })
  const answer = new Promise<Awaited<Begun['answer']>>((resolve) => {
    asked.on('error', () => resolve(undefined))
    asked.on('response', (incoming) => {
      incoming.resume()
      resolve({ status: incoming.statusCode, retryAfter: incoming.headers['retry-after'] })
    })
  })
  asked.end(Buffer.from(await encoded.arrayBuffer()))
  return { answer, leave: () => void asked.destroy() }
}

function formOf({ companyId }: Gateway, p12: Buffer, passphrase: string): FormData {
  const form = new FormData()
  form.set('company_id', companyId)
  form.set('passphrase', passphrase)
  form.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
  return form
}

async function medianSaleMs(gateway: Gateway): Promise<number> {
  const took: number[] = []
  for (let sale = 0; sale < 15; sale++) {
    const start = performance.now()
    await gateway.sell()
    took.push(performance.now() - start)
  }
  return took.sort((a, b) => a - b)[7] ?? Number.NaN
}

test('15 uploads of a file with 950,000 rounds leave sales as quick as they were, and most of them are refused', async () => {
  expect(slow.p12.length).toBeLessThan(3000)
  const gateway = await startGateway()
  await medianSaleMs(gateway)
  const usual = await medianSaleMs(gateway)
  const uploads = await Promise.all(Array.from({ length: 15 }, () => begin(gateway, slow)))
  const beside = await medianSaleMs(gateway)
  console.info(`a sale takes ${usual.toFixed(1)} ms, and beside 15 uploads ${beside.toFixed(1)} ms`)
  expect(beside).toBeLessThan(3 * usual)

  for (const { leave } of uploads) leave()
  const answers = await Promise.all(uploads.map(({ answer }) => answer))
  const refused = answers.filter((answer) => answer?.status === 429)
  expect(refused).toHaveLength(12)
  for (const { retryAfter } of refused as { retryAfter: string }[]) expect(retryAfter).toBe('10')
})

test('who leaves stops the work on the own file, and the file of somebody else is opened at once', async () => {
  const gateway = await startGateway()
  const uploads = await Promise.all(Array.from({ length: 3 }, () => begin(gateway, slow)))
  await sleep(300)
  for (const { leave } of uploads) leave()
  await sleep(200)
  const before = process.cpuUsage()
  await sleep(500)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000, 'ms of processor time').toBeLessThan(250)

  const start = performance.now()
  const { p12, passphrase } = await certificateOf(OIBS[0])
  const key = await gateway.createKey({ scopes: ['certificates:write'] })
  const headers = { authorization: `Bearer ${key}` }
  const answer = await gateway.v1('/certificates', { body: formOf(gateway, p12, passphrase), headers })
  expect(answer.status, answer.text).toBe(201)
  expect(performance.now() - start).toBeLessThan(3000)
})

test('the work on a file ends in the middle of a derivation', async () => {
  const leaving = new AbortController()
  const opening = openPkcs12(slow.p12, 'lozinka', leaving.signal)
  opening.catch(() => {})
  await sleep(200)
  const reason = new Error('gone')
  const start = performance.now()
  leaving.abort(reason)
  await expect(opening).rejects.toBe(reason)
  expect(performance.now() - start).toBeLessThan(500)
})

test('uploads of the dashboard, of the API and of the command line are counted by the limit of 60 a minute', async () => {
  const gateway = await startGateway()
  const admin = await dashboardOf(gateway).as('admin', { language: 'en' })
  const page = `/dashboard/companies/${gateway.companyId}`
  const hidden = (await admin.get(page)).hidden(`${page}/certificate`)
  const post = () => admin.post(`${page}/certificate`, { ...hidden, file: new Blob(['x']), passphrase: '' })
  for (let upload = 0; upload < 59; upload++) expect((await post()).status).toBeLessThan(429)
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, authorization: undefined, 'x-csrf-token': hidden._csrf }
  expect((await gateway.v1('/devices/import', { body: {}, headers })).headers['ratelimit-remaining']).toBe('0')
  const refused = await post()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await gateway.v1('/devices/import', { body: {}, headers })).toMatchObject({ status: 429 })

  const statuses = new Set<number>()
  const send = () => gateway.admin(`/v1/devices/import`, { body: {} })
  for (let upload = 0; upload < 60; upload++) statuses.add((await send()).status)
  expect([...statuses]).toEqual([400])
  expect((await send()).status).toBe(429)
  expect((await gateway.admin('/admin/gateways/x/certificates', { body: {} })).status).toBe(429)
})

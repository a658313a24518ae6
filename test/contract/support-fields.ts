import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { startSimulator } from '../../src/simulator/index.ts'
import type { Answer, Call } from '../support/call.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { pki } from '../support/pki.ts'
import { makeTempDir } from '../support/temp-dir.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** ISO 8601 with an explicit offset. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/
export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** A resource as a client reads it that knows nothing but the specification. */
export type Resource = Record<string, unknown>
export type List = Answer<{ object: string; data: Resource[]; has_more: boolean; next_cursor: string | null }>
export type Refused = { error: InvoiceBody['error'] }

/** What an answer that refuses a request looks like, for `toMatchObject`. */
export function refusal(status: number, code: string, param: string) {
  const types: Record<number, string> = { 400: 'validation_error', 404: 'not_found', 409: 'conflict' }
  return { status, body: { error: { type: types[status], code, param } } }
}

/** An invoice as each of the two GET endpoints shows it: alone, and as a row of the list. */
export async function shown(gateway: Gateway, id: string): Promise<Resource[]> {
  const single = await gateway.v1(`/invoices/${id}`)
  const { body } = (await gateway.v1('/invoices?limit=200')) as unknown as List
  const listed = body.data.find((row) => row.id === id)
  expect(single.status).toBe(200)
  return [single.body as unknown as Resource, listed ?? {}]
}

/** Does something while the gateway's clock is ahead. */
export async function ahead<T>(gateway: Gateway, ms: number, run: () => Promise<T>): Promise<T> {
  gateway.clock.aheadMs = ms
  try {
    return await run()
  } finally {
    gateway.clock.aheadMs = 0
  }
}

/** Sells while the tax authority cannot be reached. */
export async function sellOffline(gateway: Gateway, sale?: object): Promise<InvoiceBody> {
  await gateway.cis.goDown()
  try {
    return await gateway.sell(sale)
  } finally {
    await gateway.cis.comeBack()
  }
}

export async function retried(gateway: Gateway, id: string): Promise<InvoiceBody> {
  const { status, body } = await gateway.v1(`/invoices/${id}/retry`, { method: 'POST' })
  expect(status).toBe(200)
  return body
}

/** The message about a sale that the tax authority received last. */
export function messageOf(gateway: Gateway, { zki }: { zki: string }): string {
  return gateway.cis.received.findLast((message) => message.zki === zki)?.requestXml ?? ''
}

/** The content of the first element of this name, undefined when there is none. */
export function element(xml: string, name: string): string | undefined {
  return new RegExp(`<tns:${name}>(.*?)</tns:${name}>`, 's').exec(xml)?.[1]
}

/** A moment on the clocks of Zagreb, by the runtime's own tables. */
export function zagreb(at: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Zagreb',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const [, day = '', month = '', year = '', time = ''] =
    /^(\d\d)\/(\d\d)\/(\d{4}), (\d\d:\d\d:\d\d)$/.exec(format.format(at)) ?? []
  return { day, month, year, time }
}

/** What lies between two moments, the first and the last included. */
export function expectBetween(text: unknown, from: number, to: number): void {
  expect(text).toMatch(TIMESTAMP)
  expect(Date.parse(String(text))).toBeGreaterThanOrEqual(from)
  expect(Date.parse(String(text))).toBeLessThanOrEqual(to)
}

/** Does something and tells between which moments it was done. */
export async function timed<T>(run: () => Promise<T>): Promise<{ result: T; from: number; to: number }> {
  const from = Date.now()
  const result = await run()
  return { result, from, to: Date.now() }
}

/** Ten digits with their check digit by ISO 7064 MOD 11,10 (docs/spec/cis.md, OIB check digit). */
export function oibOf(firstTen: string): string {
  const rest = [...firstTen].reduce((result, digit) => (((result + Number(digit)) % 10 || 10) * 2) % 11, 10)
  return `${firstTen}${(11 - rest) % 10}`
}

let oibs = 0

/** An OIB that no other call has given. */
export function freshOib(): string {
  return oibOf(String(7_000_000_000 + 7919 * oibs++))
}

type Created = Answer<Resource & Refused>

/** Posts a company; an OIB of its own unless one is given. */
export function postCompany(gateway: Gateway, company: object = {}, call: Omit<Call, 'path'> = {}): Promise<Created> {
  const body = { name: 'Samoposluga d.o.o.', oib: freshOib(), ...company }
  return gateway.admin('/v1/companies', { ...call, body })
}

export function patchCompany(gateway: Gateway, id: unknown, body: object): Promise<Created> {
  return gateway.admin(`/v1/companies/${id}`, { method: 'PATCH', body })
}

/** A company as the list shows it, for there is no retrieval by id. */
export async function companyOf(gateway: Gateway, id: unknown): Promise<Resource> {
  const { body }: List = await gateway.admin('/v1/companies?limit=200')
  return body.data.find((company) => company.id === id) ?? {}
}

let labels = 0

/** Posts a device of the gateway's company; a label of its own unless one is given. */
export function postDevice(gateway: Gateway, device: object = {}): Promise<Created> {
  const body = { company_id: gateway.companyId, premises_code: 'POSL1', label: `device ${labels++}`, ...device }
  return gateway.admin('/v1/devices', { body })
}

export function patchDevice(gateway: Gateway, id: unknown, body: object): Promise<Created> {
  return gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body })
}

/** A device as the list shows it. */
export async function deviceOf(gateway: Gateway, id: unknown): Promise<Resource> {
  const { body }: List = await gateway.admin('/v1/devices?limit=200')
  return body.data.find((device) => device.id === id) ?? {}
}

/** The certificates of a company as the list shows them. */
export async function certificatesOf(gateway: Gateway, companyId: unknown): Promise<Resource[]> {
  const { body }: List = await gateway.admin(`/v1/certificates?company_id=${companyId}`)
  return body.data
}

/** A gateway for a whole test file whose two modes reach two services: `cis` the test one, `live` the live one. */
export async function startGatewayOfBothModes() {
  const live = await startSimulator({ pki, mode: 'live' })
  afterAll(() => live.close())
  const bundle = join(await makeTempDir(afterAll), 'live.pem')
  await writeFile(bundle, pki.bundlePem)
  const gateway = await startSharedGateway({ FISKD_CIS_LIVE_URL: live.url, FISKD_TRUST_LIVE: bundle })
  return { gateway, live }
}

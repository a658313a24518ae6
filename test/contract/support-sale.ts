import { expect } from 'vitest'
import { type Gateway, type InvoiceBody, uploadCertificate } from '../support/gateway.ts'
import { certificateOf } from '../support/pki.ts'

export const DAY_MS = 86_400_000
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** OIBs with a correct check digit that belong to no company of the tests. */
export const PEOPLE = ['69435151530', '00000000001', '12345678903'] as const

/** What a sale needs to be an attended one. */
export const TILL = { sale_type: 'attended', register_mark: '1', operator_oib: PEOPLE[0] } as const

/** What stands in an element of a message, markup included; null when the message does not have the element. */
export function elementIn(xml: string, name: string): string | null {
  return new RegExp(`<tns:${name}>(.*?)</tns:${name}>`, 's').exec(xml)?.[1] ?? null
}

/** The last message about a sale that the tax authority got. */
export function messageAbout(gateway: Gateway, { zki }: Pick<InvoiceBody, 'zki'>): string {
  const message = gateway.cis.received.findLast((received) => received.zki === zki)
  if (!message) throw new Error('the tax authority got no message about this sale')
  return message.requestXml
}

/** Makes a sale that gets its JIR. @returns the message about it */
export async function messageOf(gateway: Gateway, sale: object): Promise<string> {
  const sold = await gateway.sell(sale)
  expect(sold).toMatchObject({ status: 'confirmed' })
  return messageAbout(gateway, sold)
}

/** The answer that refuses something. */
export function refusal(code: string, param: unknown) {
  const doc_url = expect.stringMatching(new RegExp(`/errors/${code.replaceAll('.', '\\.')}$`))
  const error = { type: 'validation_error', code, param, message: expect.any(String), upstream: null, doc_url }
  return { status: 400, body: { error } }
}

/** Posts sales that must all be refused before anything is stored or leaves the service. */
export async function expectRefused(gateway: Gateway, sales: object[], code: string, param: string): Promise<void> {
  const before = await traces(gateway)
  for (const sale of sales) {
    expect(await gateway.post(sale), JSON.stringify(sale).slice(0, 200)).toMatchObject(refusal(code, param))
  }
  expect(await traces(gateway)).toEqual(before)
}

/** The latest sales, among which a refused one would be, and the number of messages. */
async function traces(gateway: Gateway) {
  const { text } = await gateway.v1('/invoices?limit=5')
  return { latest: text, messages: gateway.cis.received.length }
}

/** A device as its list shows it. */
export async function deviceOf(gateway: Gateway, id: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/v1/devices?limit=200')
  return body.data.find((device) => device.id === id)
}

/** A company as its list shows it. */
export async function companyOf(gateway: Gateway, id: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/v1/companies?limit=200')
  return body.data.find((company) => company.id === id)
}

/** Changes a company or a device, which must succeed. */
export async function patch(gateway: Gateway, path: string, body: object): Promise<void> {
  const changed = await gateway.admin(path, { method: 'PATCH', body })
  if (changed.status !== 200) throw new Error(changed.text)
}

/** Uploads a company's certificate, which must succeed. @returns its id */
export async function certify(
  gateway: Gateway,
  companyId: string,
  oib: string,
  certificate = certificateOf(oib),
): Promise<string> {
  const uploaded = await uploadCertificate(gateway, companyId, await certificate)
  if (uploaded.status !== 201) throw new Error(uploaded.text)
  return String(uploaded.body.id)
}

/** Revokes a certificate, which must succeed. */
export async function revoke(gateway: Gateway, certificateId: string): Promise<void> {
  const revoked = await gateway.admin(`/admin/certificates/${certificateId}/revoke`, { method: 'POST' })
  if (revoked.status !== 200) throw new Error(revoked.text)
}

/** The certificates of a company as their list shows them, the newest first. */
export async function certificatesOf(gateway: Gateway, companyId: string, filter = '') {
  const { body } = await gateway.admin<{ data: { id: string; status: string; not_after: string }[] }>(
    `/v1/certificates?company_id=${companyId}${filter}`,
  )
  return body.data
}

import { afterEach, beforeAll, expect, vi } from 'vitest'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'
import { row } from '../support/row.ts'
import {
  certificatesOf,
  certify,
  companyOf,
  DAY_MS,
  deviceOf,
  messageAbout,
  messageOf,
  patch,
  refusal,
  revoke,
} from './support-sale.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
afterEach(() => {
  vi.useRealTimers()
  gateway.clock.aheadMs = 0
})

let isuNumbers = 500
const newIsuNumber = () => String(isuNumbers++)

row('Device ISU status | pending', 'a device made without a number waits for it and cannot fiscalize', async () => {
  const device_id = await gateway.addDevice()
  expect(await deviceOf(gateway, device_id)).toMatchObject({ isu_status: 'pending', isu_number: null })
  expect(await gateway.post({ device_id })).toMatchObject(refusal('hr.device_missing_isu', 'device_id'))
})

row('Device ISU status | pending', 'a device that loses its number waits again', async () => {
  const device_id = await gateway.addDevice({ isu_number: newIsuNumber() })
  await gateway.sell({ device_id })
  const path = `/v1/devices/${device_id}`
  expect(await gateway.admin(path, { method: 'PATCH', body: { isu_number: null } })).toMatchObject({
    status: 200,
    body: { isu_status: 'pending', isu_number: null },
  })
  expect(await gateway.post({ device_id })).toMatchObject(refusal('hr.device_missing_isu', 'device_id'))
  expect(await idsWithIsuStatus('pending')).toContain(device_id)
})

row('Device ISU status | assigned', 'a device made with a number has it and can fiscalize', async () => {
  const isu_number = newIsuNumber()
  const device_id = await gateway.addDevice({ isu_number })
  expect(await deviceOf(gateway, device_id)).toMatchObject({ isu_status: 'assigned', isu_number })
  expect(await messageOf(gateway, { device_id })).toContain(`<tns:OznNapUr>${isu_number}</tns:OznNapUr>`)
})

row('Device ISU status | assigned', 'a number that is set later counts from the next request', async () => {
  const device_id = await gateway.addDevice()
  const isu_number = newIsuNumber()
  await patch(gateway, `/v1/devices/${device_id}`, { isu_number })
  expect(await messageOf(gateway, { device_id })).toContain(`<tns:OznNapUr>${isu_number}</tns:OznNapUr>`)
  expect(await idsWithIsuStatus('assigned')).toContain(device_id)
  expect(await idsWithIsuStatus('pending')).not.toContain(device_id)

  await patch(gateway, `/v1/devices/${device_id}`, { label: `renamed ${isu_number}` })
  expect(await deviceOf(gateway, device_id)).toMatchObject({ isu_status: 'assigned', isu_number })
})

row('Device ISU status | mismatch', 'the authority has other data: 182, 183 and 184 say so', async () => {
  for (const code of [182, 183, 184]) {
    const { device_id, isu_number } = await mismatched(code)
    expect(await deviceOf(gateway, device_id), String(code)).toMatchObject({ isu_status: 'mismatch', isu_number })
    expect(await idsWithIsuStatus('mismatch')).toContain(device_id)
  }
})

row('Device ISU status | mismatch', 'no other refusal sets it', async () => {
  const device_id = await gateway.addDevice({ isu_number: newIsuNumber() })
  for (const misbehaviour of [
    { error: 's013', codes: [176, 177, 178, 179, 185] },
    { error: 's001' },
    { error: 's005' },
    'unsigned' as const,
  ]) {
    gateway.cis.misbehave(misbehaviour)
    expect(await gateway.sell({ device_id })).toMatchObject({ status: 'failed' })
    expect(await deviceOf(gateway, device_id)).toMatchObject({ isu_status: 'assigned' })
  }
})

row('Device ISU status | mismatch', 'sales go on, and a number that is set again clears it', async () => {
  const { device_id, isu_number } = await mismatched(183)
  expect(await gateway.sell({ device_id })).toMatchObject({ status: 'confirmed' })
  await patch(gateway, `/v1/devices/${device_id}`, { isu_number })
  expect(await deviceOf(gateway, device_id)).toMatchObject({ isu_status: 'assigned', isu_number })
})

row('Certificate status | valid', 'it signs, with 60 days left or more', async () => {
  const [certificate] = await certificatesOf(gateway, gateway.companyId)
  expect(certificate).toMatchObject({ status: 'valid' })
  expect(await companyOf(gateway, gateway.companyId)).toMatchObject({ certificate_status: 'valid' })
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })
  freezeAt(Date.parse(String(certificate?.not_after)) - 60 * DAY_MS)
  expect(await statusOf(gateway.companyId)).toEqual(['valid', 'valid'])
  expect(await certificatesOf(gateway, gateway.companyId, '&status=valid')).toHaveLength(1)
  expect(await certificatesOf(gateway, gateway.companyId, '&status=expiring')).toEqual([])
})

row('Certificate status | expiring', 'it still signs, with less than 60 days left', async () => {
  const [certificate] = await certificatesOf(gateway, gateway.companyId)
  const notAfter = Date.parse(String(certificate?.not_after))
  freezeAt(notAfter - 60 * DAY_MS + 1)
  expect(await statusOf(gateway.companyId)).toEqual(['expiring', 'expiring'])
  expect(await certificatesOf(gateway, gateway.companyId, '&status=expiring')).toHaveLength(1)
  expect(await certificatesOf(gateway, gateway.companyId, '&status=valid')).toEqual([])
  const sold = await gateway.sell()
  expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, zkiMatches: true })
  freezeAt(notAfter)
  expect(await statusOf(gateway.companyId)).toEqual(['expiring', 'expiring'])
})

row('Certificate status | expired', 'past its end every device of the company is blocked', async () => {
  const neighbour = await gateway.addDevice({ isu_number: newIsuNumber(), premises_code: 'POSL2' })
  const [certificate] = await certificatesOf(gateway, gateway.companyId)
  freezeAt(Date.parse(String(certificate?.not_after)) + 1)
  expect(await statusOf(gateway.companyId)).toEqual(['expired', 'expired'])
  expect(await certificatesOf(gateway, gateway.companyId, '&status=expired')).toHaveLength(1)
  const sent = gateway.cis.received.length
  for (const device_id of [gateway.deviceId, neighbour]) {
    expect(await gateway.post({ device_id })).toMatchObject(refusal('certificate_expired', 'device_id'))
  }
  expect(gateway.cis.received).toHaveLength(sent)
})

row('Certificate status | superseded', 'a later one takes its place at once and for good', async () => {
  const { companyId, device_id, certificateId } = await newCompany(OIBS[1])
  const renewed = await pki.issueCompany({ oib: OIBS[1], notAfter: new Date(Date.now() + 90 * DAY_MS) })
  const renewedId = await certify(gateway, companyId, OIBS[1], Promise.resolve(renewed))
  expect(await certificatesOf(gateway, companyId)).toMatchObject([
    { id: renewedId, status: 'valid' },
    { id: certificateId, status: 'superseded' },
  ])
  expect(await certificatesOf(gateway, companyId, '&status=superseded')).toMatchObject([{ id: certificateId }])

  const sold = await gateway.sell({ device_id })
  expect(messageAbout(gateway, sold)).toContain(renewed.certDer.toString('base64'))
  expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, zkiMatches: true })

  freezeAt(Date.parse(String((await certificatesOf(gateway, companyId))[0]?.not_after)) + 1)
  expect(await certificatesOf(gateway, companyId)).toMatchObject([{ status: 'expired' }, { status: 'superseded' }])
  expect(await gateway.post({ device_id })).toMatchObject(refusal('certificate_expired', 'device_id'))
})

row('Certificate status | revoked', 'nothing is signed with it any more, until there is another one', async () => {
  const { companyId, device_id, certificateId } = await newCompany(OIBS[2])
  await gateway.sell({ device_id })
  await revoke(gateway, certificateId)
  expect(await certificatesOf(gateway, companyId)).toMatchObject([{ id: certificateId, status: 'revoked' }])
  expect(await certificatesOf(gateway, companyId, '&status=revoked')).toMatchObject([{ id: certificateId }])
  expect(await companyOf(gateway, companyId)).toMatchObject({ certificate_status: 'missing' })
  const sent = gateway.cis.received.length
  expect(await gateway.post({ device_id })).toMatchObject(refusal('company_missing_certificate', 'device_id'))
  expect(gateway.cis.received).toHaveLength(sent)

  const nextId = await certify(gateway, companyId, OIBS[2])
  expect(await gateway.sell({ device_id })).toMatchObject({ status: 'confirmed' })
  expect(await certificatesOf(gateway, companyId)).toMatchObject([
    { id: nextId, status: 'valid' },
    { id: certificateId, status: 'revoked' },
  ])
})

/** A device whose sale the authority has just refused with a restrictive code. */
async function mismatched(code: number): Promise<{ device_id: string; isu_number: string }> {
  const isu_number = newIsuNumber()
  const device_id = await gateway.addDevice({ isu_number })
  gateway.cis.misbehave({ error: 's013', codes: [code] })
  expect(await gateway.sell({ device_id })).toMatchObject({ status: 'failed' })
  return { device_id, isu_number }
}

async function idsWithIsuStatus(status: string): Promise<string[]> {
  const { body } = await gateway.admin<{ data: { id: string; isu_status: string }[] }>(
    `/v1/devices?limit=200&isu_status=${status}`,
  )
  expect(new Set(body.data.map(({ isu_status }) => isu_status))).toEqual(new Set([status]))
  return body.data.map(({ id }) => id)
}

/** The status of the newest certificate of a company, and the one that the company shows. */
async function statusOf(companyId: string): Promise<unknown[]> {
  const [certificate] = await certificatesOf(gateway, companyId)
  return [certificate?.status, (await companyOf(gateway, companyId))?.certificate_status]
}

/** Stops the gateway's clock at a moment, for limits to the millisecond. */
function freezeAt(moment: number): void {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] })
  gateway.clock.aheadMs = moment - Date.now()
}

async function newCompany(oib: string) {
  const companyId = await addCompany(gateway, oib)
  const device_id = await gateway.addDevice({ company_id: companyId, isu_number: newIsuNumber() })
  const [certificate] = await certificatesOf(gateway, companyId)
  return { companyId, device_id, certificateId: String(certificate?.id) }
}

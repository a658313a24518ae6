import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { row } from '../support/row.ts'
import {
  ahead,
  certificatesOf,
  DAY_MS,
  expectBetween,
  freshOib,
  type List,
  MINUTE_MS,
  postCompany,
  type Resource,
  timed,
  UUID,
} from './support-fields.ts'

let gateway: Gateway
/** With the certificate of the second OIB and no other. */
let companyId: string
let uploaded: { result: Resource; from: number; to: number }
beforeAll(async () => {
  gateway = await startSharedGateway()
  companyId = String((await postCompany(gateway, { oib: OIBS[1] })).body.id)
  const certificate = await certificateOf(OIBS[1])
  uploaded = await timed(async () => (await uploadCertificate(gateway, companyId, certificate)).body)
})

row('Certificate | id, company_id', 'are UUIDs, of itself and of whose it is', async () => {
  expect(uploaded.result).toMatchObject({ id: expect.stringMatching(UUID), company_id: companyId })
  expect(companyId).toMatch(UUID)
  const [own = {}] = await certificatesOf(gateway, gateway.companyId)
  expect(own.id).toMatch(UUID)
  expect(own.id).not.toBe(uploaded.result.id)
  expect(own.company_id).toBe(gateway.companyId)
})

row('Certificate | label', 'is what was sent with it, null when nothing was', async () => {
  expect(uploaded.result.label).toBeNull()
  const oib = freshOib()
  const company = await postCompany(gateway, { oib })
  const label = 'Fiskalni certifikat č. 1'
  const { status, body } = await uploadCertificate(gateway, String(company.body.id), await pki.issueCompany({ oib }), {
    label,
  })
  expect({ status, label: body.label }).toEqual({ status: 201, label })
  expect(await certificatesOf(gateway, company.body.id)).toMatchObject([{ label }])
})

row('Certificate | subject_oib, subject_cn', 'are read from its subject, wherever the OIB stands in it', async () => {
  expect(uploaded.result).toMatchObject({ subject_oib: OIBS[1], subject_cn: 'FISKAL 1' })
  const company = await postCompany(gateway, { oib: OIBS[2] })
  const older = await pki.issueCompany({ oib: OIBS[2], oibIn: 'O' })
  const { body } = await uploadCertificate(gateway, String(company.body.id), older)
  expect(body).toMatchObject({ subject_oib: OIBS[2], subject_cn: 'FISKAL 1' })
})

row('Certificate | issuer, serial', 'say in text who issued it and under which number', async () => {
  const { certDer } = await certificateOf(OIBS[1])
  expect(uploaded.result.issuer).toContain('Simulator CA 2020')
  expect(uploaded.result.serial).toBe(new X509Certificate(certDer).serialNumber)
})

row('Certificate | not_before, not_after', 'are the bounds of its validity', async () => {
  const { validFrom, validTo } = new X509Certificate((await certificateOf(OIBS[1])).certDer)
  expectBetween(uploaded.result.not_before, Date.parse(validFrom), Date.parse(validFrom))
  expectBetween(uploaded.result.not_after, Date.parse(validTo), Date.parse(validTo))
})

row('Certificate | days_until_expiry', 'counts down in whole days', async () => {
  const end = Date.parse(String(uploaded.result.not_after)) - Date.now()
  expect(uploaded.result.days_until_expiry).toBe(Math.floor(end / DAY_MS))
  for (const [untilEndMs, days] of [
    [60 * DAY_MS + MINUTE_MS, 60],
    [60 * DAY_MS - MINUTE_MS, 59],
    [DAY_MS + MINUTE_MS, 1],
    [MINUTE_MS, 0],
  ] as const) {
    const [certificate] = await ahead(gateway, end - untilEndMs, () => certificatesOf(gateway, companyId))
    expect(certificate?.days_until_expiry).toBe(days)
  }
})

row('Certificate | status', 'is valid, expiring under 60 days, and expired past not_after', async () => {
  const end = Date.parse(String(uploaded.result.not_after)) - Date.now()
  expect(uploaded.result.status).toBe('valid')
  for (const [aheadMs, status] of [
    [end - 60 * DAY_MS - MINUTE_MS, 'valid'],
    [end - 60 * DAY_MS + MINUTE_MS, 'expiring'],
    [end - MINUTE_MS, 'expiring'],
    [end + MINUTE_MS, 'expired'],
  ] as const) {
    await ahead(gateway, aheadMs, async () => {
      expect(await certificatesOf(gateway, companyId)).toMatchObject([{ status }])
      const { body }: List = await gateway.admin(`/v1/certificates?company_id=${companyId}&status=${status}`)
      expect(body.data).toMatchObject([{ id: uploaded.result.id, status }])
    })
  }
})

row('Certificate | status', 'is superseded after a later upload, and revoked once that is known', async () => {
  const oib = freshOib()
  const company = await postCompany(gateway, { oib })
  const upload = async () =>
    (await uploadCertificate(gateway, String(company.body.id), await pki.issueCompany({ oib }))).body.id
  const [first, second] = [await upload(), await upload()]
  const statuses = async () =>
    Object.fromEntries((await certificatesOf(gateway, company.body.id)).map(({ id, status }) => [id, status]))
  expect(await statuses()).toEqual({ [String(first)]: 'superseded', [String(second)]: 'valid' })
  await gateway.admin(`/admin/certificates/${second}/revoke`, { method: 'POST' })
  expect(await statuses()).toEqual({ [String(first)]: 'superseded', [String(second)]: 'revoked' })
})

row('Certificate | uploaded_at', 'is when it was uploaded', async () => {
  expectBetween(uploaded.result.uploaded_at, uploaded.from, uploaded.to)
  const [listed] = await ahead(gateway, DAY_MS, () => certificatesOf(gateway, companyId))
  expect(listed?.uploaded_at).toBe(uploaded.result.uploaded_at)
})

test('nothing of a certificate but these metadata is returned, the key least of all', async () => {
  const [listed = {}] = await certificatesOf(gateway, companyId)
  expect(listed).toEqual(uploaded.result)
  const metadata = [
    'id',
    'company_id',
    'label',
    'subject_oib',
    'subject_cn',
    'issuer',
    'serial',
    'not_before',
    'not_after',
  ]
  expect(Object.keys(listed).sort()).toEqual([...metadata, 'days_until_expiry', 'status', 'uploaded_at'].sort())
})

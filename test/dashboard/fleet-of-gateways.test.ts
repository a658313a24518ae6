import { expect, test } from 'vitest'
import { KIOSK, startCommanded, until } from '../support/commanded.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { OIBS, pki } from '../support/pki.ts'

async function startFleet() {
  const fleet = await startCommanded()
  const office = dashboardOf(fleet.server)
  const device = `/dashboard/devices/${fleet.kiosk.deviceId}`
  const company = `/dashboard/companies/${fleet.kiosk.companyId}`
  const atKiosk = async () =>
    (await fleet.kiosk.admin<{ data: Record<string, unknown>[] }>(`/admin/devices?ref=${fleet.kiosk.deviceId}`)).body
      .data[0]
  return { ...fleet, office, device, company, atKiosk, admin: await office.as('admin') }
}

test('what is changed about a device of a gateway goes there as a command, once, and is done there', async () => {
  const { admin, device, atKiosk, send: _send } = await startFleet()
  const page = await admin.get(device)
  expect(page.words).toContain(`Podatke ovog uređaja vodi pristupnik ${KIOSK}.`)
  const fields = { ...page.hidden(`${device}/isu`), isu_number: '909' }
  const sent = await Promise.all([admin.post(`${device}/isu`, fields), admin.post(`${device}/isu`, fields)])
  for (const answer of sent)
    expect(answer).toMatchObject({ status: 303, to: expect.stringContaining(`${device}?sent=`) })
  await until(atKiosk, (row) => row?.isu_number === '909')

  await admin.submit(`${device}/edit`, { label: 'Drugi naziv', address: 'Riva 1' })
  await until(atKiosk, (row) => row?.label === 'Drugi naziv' && row.premises_address === 'Riva 1')
  await admin.submit(`${device}/settings`, { 'set-payment_method': 'K' })
  await until(atKiosk, (row) => JSON.stringify(row?.device_config) === '{"payment_method":"K"}')
})

test('a device is added to a gateway that is chosen, and not to a server for a company of a gateway', async () => {
  const { admin, kiosk, id } = await startFleet()
  const fields = { company: kiosk.companyId, label: 'Novi', premises: 'NOVI1' }
  const refused = await admin.submit('/dashboard/devices/new', fields)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Podatke ove tvrtke vodi pristupnik')
  const sent = await admin.submit('/dashboard/devices/new', { ...fields, where: id })
  expect(sent).toMatchObject({ status: 303, to: expect.stringContaining('/dashboard/commands?of=') })
  expect((await admin.get(sent.to ?? '')).words).toContain(`Dodavanje uređaja „Novi”`)
  const known = () => kiosk.admin<{ data: object[] }>('/admin/devices?ref=Novi')
  await until(known, ({ body }) => body.data.length === 1)
})

test('a company of a gateway is shown and not changed, and a certificate is sealed and sent to it', async () => {
  const { admin, company, kiosk, office } = await startFleet()
  const page = await admin.get(company)
  expect(page.words).toContain(`Podatke ove tvrtke vodi pristupnik ${KIOSK}`)
  expect(page.text).not.toContain(`${company}/mode`)
  const csrf = page.hidden(`${company}/certificate`)
  expect(
    (await admin.post(`${company}/status`, { ...csrf, status: 'archived', seen: '{"status":"active"}' })).status,
  ).toBe(422)

  const { p12, passphrase } = await pki.issueCompany({ oib: OIBS[0] })
  const file = new Blob([new Uint8Array(p12)])
  const wrong = await admin.submit(
    company,
    { file, passphrase: 'kriva-lozinka', target: KIOSK },
    `${company}/certificate`,
  )
  expect(wrong.words).toContain('Lozinka ne otvara datoteku.')
  const sent = await admin.submit(
    company,
    { file, passphrase, label: 'Poslan', target: KIOSK },
    `${company}/certificate`,
  )
  expect(sent).toMatchObject({ status: 303, to: company })
  const labels = async () =>
    (await kiosk.admin<{ data: { label: string | null }[] }>('/v1/certificates')).body.data.map(({ label }) => label)
  await until(labels, (all) => all.includes('Poslan'))
  const words = async () => (await admin.get(company)).words
  await until(words, (text) => /Certifikat koji vrijedi do [\d. ]+ Na 1 od 1 pristupnika\./.test(text))
  expect((await office.admin('/admin/audit')).text).not.toContain(passphrase)
})

test('a certificate goes to this server and to the gateways that sell for the company, at once', async () => {
  const { admin, company, kiosk, server } = await startFleet()
  await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  const page = await admin.get(company)
  expect(page.words).toContain('na ovaj poslužitelj')
  const { p12, passphrase } = await pki.issueCompany({ oib: OIBS[0] })
  const fields = { ...page.hidden(`${company}/certificate`), passphrase, label: 'Svuda', target: `here,${KIOSK}` }
  const sent = await admin.post(`${company}/certificate`, { ...fields, file: new Blob([new Uint8Array(p12)]) })
  expect(sent).toMatchObject({ status: 303, to: `${company}?notice=certificate_added` })
  expect((await admin.get(company)).words).toContain('Svuda')
  const there = () => kiosk.admin<{ data: { label: string }[] }>('/v1/certificates')
  await until(there, ({ body }) => body.data.some(({ label }) => label === 'Svuda'))
})

test('a gateway that takes no command is named, and the others have the certificate', async () => {
  const { admin, company, server } = await startFleet()
  await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  const page = await admin.get(company)
  await server.admin(`/admin/gateways/${KIOSK}/revoke`, { method: 'POST', body: {} })
  const { p12, passphrase } = await pki.issueCompany({ oib: OIBS[0] })
  const fields = { ...page.hidden(`${company}/certificate`), passphrase, target: `here,${KIOSK}` }
  const sent = await admin.post(`${company}/certificate`, { ...fields, file: new Blob([new Uint8Array(p12)]) })
  expect(sent.to).toBe(`${company}?notice=certificate_added`)
  expect((await admin.get(sent.to ?? '')).words).toContain(`Pristupnik ${KIOSK}: ništa nije poslano`)
})

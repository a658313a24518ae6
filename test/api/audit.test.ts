import { beforeAll, expect, test } from 'vitest'
import { breakInserts } from '../support/database.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

interface Entry {
  at: string
  actor: string
  action: string
  detail: Record<string, unknown>
}

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

/** The log, the oldest first. */
async function log(): Promise<Entry[]> {
  const { body } = await gateway.admin<{ data: Entry[] }>('/admin/audit?limit=200')
  return body.data.toReversed()
}

/** What was written down while something was done. */
async function during(work: () => Promise<unknown>): Promise<Pick<Entry, 'actor' | 'action' | 'detail'>[]> {
  const before = (await log()).length
  await work()
  return (await log()).slice(before).map(({ actor, action, detail }) => ({ actor, action, detail }))
}

const OPERATOR = 'operator'

test('setting up a gateway leaves its trace, in the order in which it was done', async () => {
  const entries = (await log()).slice(0, 4)
  expect(entries.map(({ action }) => action)).toEqual([
    'company.added',
    'certificate.added',
    'device.added',
    'api_key.created',
  ])
  const [company, certificate, device, key] = entries.map(({ detail }) => detail)
  expect(company).toEqual({ id: gateway.companyId, oib: OIBS[0], name: 'Samoposluga d.o.o.', mode: 'test' })
  expect(certificate).toEqual({ id: expect.any(String), oib: OIBS[0], serial: expect.stringMatching(/^[0-9A-F]+$/) })
  expect(device).toEqual({
    id: gateway.deviceId,
    company_id: gateway.companyId,
    premises_code: 'POSL1',
    label: 'machine',
    isu_number: '101',
  })
  const scopes = ['invoices:write', 'invoices:read']
  expect(key).toEqual({ id: expect.any(String), mode: 'test', name: null, scopes, device_id: null })
  expect(JSON.stringify(entries)).not.toContain(gateway.key)
})

test('a changed company is written down with what was there before', async () => {
  const path = `/v1/companies/${gateway.companyId}`
  const patch = (body: object) => gateway.admin(path, { method: 'PATCH', body })
  const address = { street: 'Tajna ulica 1' }
  const body = { name: 'Nova d.o.o.', status: 'suspended', vat_registered: true, address }
  expect(await during(() => patch(body))).toEqual([
    {
      actor: OPERATOR,
      action: 'company.changed',
      detail: {
        id: gateway.companyId,
        oib: OIBS[0],
        changed: {
          name: { from: 'Samoposluga d.o.o.', to: 'Nova d.o.o.' },
          status: { from: 'active', to: 'suspended' },
          'address.street': { to: 'Tajna ulica 1' },
        },
      },
    },
  ])
  expect(await during(() => patch(body))).toEqual([])
  expect(await during(() => patch({}))).toEqual([])
  expect(await during(() => patch({ mode: 'live', name: '' }))).toEqual([])
  expect(await during(() => patch({ status: 'active' }))).toMatchObject([
    { detail: { changed: { status: { from: 'suspended', to: 'active' } } } },
  ])
})

test('the ISU number of a device is written down each time it changes', async () => {
  const id = await gateway.addDevice({ label: 'lobby', isu_number: '201' })
  const patch = (body: object) => gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body })
  const entry = (changed: object) => ({
    actor: OPERATOR,
    action: 'device.changed',
    detail: { id, company_id: gateway.companyId, label: 'lobby', changed },
  })
  expect(await during(() => patch({ isu_number: '202' }))).toEqual([entry({ isu_number: { from: '201', to: '202' } })])
  expect(await during(() => patch({ isu_number: null, device_config: { a: 1 } }))).toEqual([
    entry({
      isu_number: { from: '202', to: null },
      isu_status: { from: 'assigned', to: 'pending' },
      'device_config.a': {},
    }),
  ])
  expect(await during(() => patch({ label: 'other', status: 'archived' }))).toEqual([
    entry({ label: { from: 'lobby', to: 'other' }, status: { from: 'active', to: 'archived' } }),
  ])
})

test('an import leaves one entry with its counts; a rehearsal and one that changes nothing leave none', async () => {
  const lines = ['label,premises_code,isu_number', ...Array.from({ length: 70 }, (_, i) => `m${i},POSL1,${1000 + i}`)]
  const send = (csv: string, more: Record<string, string> = {}) => {
    const form = new FormData()
    form.set('company_id', gateway.companyId)
    form.set('file', new Blob([csv]), 'devices.csv')
    for (const [name, value] of Object.entries(more)) form.set(name, value)
    return gateway.admin('/v1/devices/import', { body: form })
  }
  const csv = [...lines, 'machine,POSL1,', 'wrong,P-1,'].join('\n')
  expect(await during(() => send(csv, { dry_run: 'true' }))).toEqual([])
  expect(await during(() => send(csv))).toEqual([
    {
      actor: OPERATOR,
      action: 'devices.imported',
      detail: { company_id: gateway.companyId, created: 70, changed: 0, failed: 1 },
    },
  ])
  expect(await during(() => send('label,premises_code\nwrong,P-1'))).toEqual([])
})

test('a certificate that takes the place of another leaves both, and revoking it leaves one more', async () => {
  const other = await pki.issueCompany({ oib: OIBS[0] })
  const entries = await during(() => uploadCertificate(gateway, gateway.companyId, other))
  expect(entries.map(({ action }) => action)).toEqual(['certificate.superseded', 'certificate.added'])
  const [superseded, added] = entries.map(({ detail }) => detail.id)
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/v1/certificates')
  expect([added, superseded]).toEqual(body.data.map(({ id }) => id))
  const revoke = () => gateway.admin(`/admin/certificates/${added}/revoke`, { method: 'POST' })
  expect(await during(revoke)).toMatchObject([{ action: 'certificate.revoked', detail: { id: added, oib: OIBS[0] } }])
  expect(await during(revoke)).toEqual([])
  const again = await during(async () => uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0])))
  expect(again.map(({ action }) => action)).toEqual(['certificate.added'])
})

test('users, tenants, keys and sign-ins leave their trace, and no password', async () => {
  const password = 'vrlo tajna lozinka'
  const entries = await during(async () => {
    await gateway.admin('/admin/tenants', { body: { name: 'jadran' } })
    await gateway.admin('/admin/users', { body: { name: 'Ana', password, role: 'admin' } })
    const signIn = { body: { name: 'ana', password }, headers: { authorization: undefined } }
    expect((await gateway.v1('/../dashboard/session', signIn)).status).toBe(201)
    const key = await gateway.admin('/admin/keys', { body: { mode: 'live', name: 'traced' } })
    await gateway.admin(`/admin/keys/${key.body.id}/revoke`, { method: 'POST' })
    await gateway.admin('/admin/users/ana', { method: 'DELETE' })
  })
  expect(entries).toMatchObject([
    { actor: OPERATOR, action: 'tenant.added', detail: { name: 'jadran' } },
    { actor: OPERATOR, action: 'user.added', detail: { name: 'ana', role: 'admin', is_platform_admin: false } },
    { action: 'session.started', detail: { name: 'ana' } },
    { actor: OPERATOR, action: 'api_key.created', detail: { mode: 'live', name: 'traced' } },
    { actor: OPERATOR, action: 'api_key.revoked', detail: { name: 'traced' } },
    { actor: OPERATOR, action: 'user.removed', detail: { name: 'ana' } },
  ])
  expect(entries[2]?.actor).toBe(entries[1]?.detail.id)
  expect(JSON.stringify(entries)).not.toMatch(/lozinka|scrypt|fisk_live_/)
})

test('a trust bundle that grows is written down, with what was added', async () => {
  const certificates = Buffer.from(pki.bundlePem).toString('base64')
  const add = () => gateway.admin('/admin/trust', { body: { mode: 'live', for: 'uploads', certificates } })
  const entries = await during(add)
  const { body } = await gateway.admin<{ data: { mode: string; list: string; certificates: object[] }[] }>(
    '/admin/trust',
  )
  const trusted = body.data.find(({ mode, list }) => mode === 'live' && list === 'uploads')?.certificates ?? []
  expect(trusted.length).toBeGreaterThan(0)
  expect(entries).toMatchObject([
    { actor: OPERATOR, action: 'trust.changed', detail: { mode: 'live', list: 'uploads' } },
  ])
  expect(entries[0]?.detail.certificates).toMatchObject(
    trusted.map((certificate) => ({ fingerprint: (certificate as { fingerprint: string }).fingerprint })),
  )
  expect(await during(add)).toEqual([])
})

test('who asked for a retry is written down; sales are not', async () => {
  await gateway.cis.goDown()
  let id = ''
  expect(await during(async () => (id = (await gateway.sell()).id))).toEqual([])
  const retry = () => gateway.v1(`/invoices/${id}/retry`, { method: 'POST' })
  const key = (await log()).find(({ action }) => action === 'api_key.created')?.detail.id
  expect(await during(retry)).toEqual([{ actor: key, action: 'invoice.retried', detail: { id, status: 'retrying' } }])
  await gateway.cis.comeBack()
  const byOperator = () => gateway.admin(`/v1/invoices/${id}/retry`, { method: 'POST' })
  expect(await during(byOperator)).toEqual([
    { actor: OPERATOR, action: 'invoice.retried', detail: { id, status: 'confirmed' } },
  ])
  expect(await during(byOperator)).toEqual([])
})

test('what is refused leaves no trace', async () => {
  const entries = await during(async () => {
    await gateway.admin('/v1/companies', { body: { name: 'X', oib: OIBS[0] } })
    const taken = { company_id: gateway.companyId, premises_code: 'P', label: 'machine' }
    await gateway.admin('/v1/devices', { body: taken })
    await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[1]))
    await gateway.admin('/admin/users', { body: { name: 'x', password: 'kratka' } })
    await gateway.v1('/companies', { body: { name: 'X', oib: OIBS[1] } })
  })
  expect(entries).toEqual([])
})

test('a change and its entry are stored together, or neither is', async () => {
  const mend = await breakInserts(gateway, 'audit_log')
  const refused = await gateway.admin(`/v1/devices/${gateway.deviceId}`, {
    method: 'PATCH',
    body: { isu_number: '909' },
  })
  expect(refused.status).toBe(500)
  expect((await gateway.admin('/v1/companies', { body: { name: 'X', oib: OIBS[1] } })).status).toBe(500)
  await mend()
  const { body } = await gateway.admin<{ data: { isu_number: string }[] }>('/admin/devices?ref=machine')
  expect(body.data.map(({ isu_number }) => isu_number)).toEqual(['101'])
  await addCompany(gateway, OIBS[1])
})

test('fisk audit shows every kind of entry within 80 columns, changes with old and new value', async () => {
  const id = await gateway.addDevice({ isu_number: '401' })
  const body = { isu_number: '402', device_config: { a: 'b'.repeat(100) }, label: 'š'.repeat(150) }
  await gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body })
  const { code, stdout } = await fisk(['audit', '--limit', '200'], { socket: gateway.socketPath })
  expect(code).toBe(0)
  const text = stdout.replace(/\n {4}/g, ' ')
  expect(text).toContain('isu_number 401 -> 402')
  expect(text).toContain('device_config.a changed')
  expect(text).toMatch(/trust\.changed +operator +mode live/)
  expect(text).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d company\.added +operator +id/m)
  expect(text).toContain('scopes invoices:write invoices:read')
  const asked = (await log()).find(({ action }) => action === 'invoice.retried')
  expect(text).toContain(`invoice.retried        ${asked?.actor} id ${asked?.detail.id}`)
  expect(text).not.toMatch(/object Object|undefined|null|b{20}/)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

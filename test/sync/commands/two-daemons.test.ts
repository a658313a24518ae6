import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { KIOSK, startCommanded } from '../../support/commanded.ts'
import type { Gateway } from '../../support/gateway.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'

interface Entry {
  actor: string
  action: string
  detail: Record<string, unknown>
}

const auditOf = async (gateway: Gateway) => (await gateway.admin<{ data: Entry[] }>('/admin/audit?limit=200')).body.data
const deviceAt = async (gateway: Gateway, ref: string) =>
  (await gateway.admin<{ data: Record<string, unknown>[] }>(`/admin/devices?ref=${encodeURIComponent(ref)}`)).body
    .data[0]

/** What was issued, and the numbers that go on from it: nothing of this may change. */
function issuedBy({ dataDir }: Gateway): unknown[] {
  const database = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  const changing = [
    'status',
    'jir',
    'late_delivery',
    'attempts',
    'confirmed_at',
    'last_error_class',
    'error_code',
    'error_message',
  ]
  try {
    const invoices = database.prepare('SELECT * FROM invoices ORDER BY id').all() as Record<string, unknown>[]
    const numbers = ['sequences', 'numbering_levels', 'reserved_numbers'].map((table) =>
      database.prepare(`SELECT * FROM ${table}`).all(),
    )
    return [invoices.map((row) => Object.entries(row).filter(([name]) => !changing.includes(name))), numbers]
  } finally {
    database.close()
  }
}

test('a command from the server is done at the gateway, and both write down who sent it to whom', async () => {
  const { server, kiosk, id, done } = await startCommanded()
  const device_id = kiosk.deviceId
  const command = await done('device.set_isu', { device_id, isu_number: '4711' })
  expect(command).toMatchObject({
    status: 'done',
    issued_by: 'operator',
    result: { id: device_id, isu_number: '4711' },
  })
  expect(await deviceAt(kiosk, device_id)).toMatchObject({ isu_number: '4711', isu_status: 'assigned' })
  const { id: command_id } = command
  expect(await auditOf(server)).toContainEqual(
    expect.objectContaining({
      ...{ actor: 'operator', action: 'gateway.commanded' },
      detail: {
        gateway: KIOSK,
        gateway_id: id,
        id: command_id,
        number: 1,
        type: 'device.set_isu',
        device_id,
        company_id: kiosk.companyId,
        label: 'machine',
        changed: { isu_number: { from: '101', to: '4711' } },
      },
    }),
  )
  const there = await auditOf(kiosk)
  const taken = { actor: 'server operator', action: 'command.taken' }
  expect(there).toContainEqual(
    expect.objectContaining({ ...taken, detail: { id: command_id, number: 1, type: 'device.set_isu' } }),
  )
  expect(there).toContainEqual(expect.objectContaining({ actor: 'server operator', action: 'device.changed' }))
})

test('every command does what it says and nothing else, and no sale is changed by any of them', async () => {
  const { server, kiosk, done } = await startCommanded()
  const sold = await kiosk.sell()
  await kiosk.cis.goDown()
  const open = await kiosk.sell()
  await kiosk.cis.comeBack()
  const keyId = (await kiosk.admin<{ id: string }>('/admin/keys', { body: { mode: 'test' } })).body.id
  const known = async (id: string) => (await server.admin(`/v1/invoices/${id}`)).status
  await expect.poll(() => known(open.id)).toBe(200)
  const device_id = kiosk.deviceId
  const issued = issuedBy(kiosk)

  expect(
    await done('device.change', { device_id, label: 'Žuta', device_config: { payment_method: 'K' } }),
  ).toMatchObject({
    ...{ number: 1, status: 'done', result: { label: 'Žuta', isu_number: '101', status: 'active' } },
  })
  const header = { device_id, setting: 'receipt.header', value: ['Dobro došli'] }
  const device_config = { payment_method: 'K', receipt: { header: header.value } }
  for (const unchanged of [false, true]) {
    expect(await done('device.set_setting', header)).toMatchObject({
      ...{ status: 'done', result: { device_config, unchanged } },
    })
  }
  expect(await done('device.set_setting', { device_id, setting: 'payment_method' })).toMatchObject({
    ...{ status: 'done', result: { device_config: { receipt: device_config.receipt }, unchanged: false } },
  })
  expect(await done('device.set_setting', { ...header, value: 'x'.repeat(32_760) })).toMatchObject({
    ...{ status: 'failed', result: { error: { code: 'invalid_request', param: 'device_config' } } },
  })
  expect(await done('device.change', { device_id, status: 'suspended' })).toMatchObject({ status: 'done' })
  expect((await kiosk.post()).body.error.code).toBe('device_inactive')
  expect(await done('device.change', { device_id, status: 'active' })).toMatchObject({ status: 'done' })

  const added = await done('device.add', { company_id: kiosk.companyId, premises_code: 'POSL9', label: 'new' })
  expect(added).toMatchObject({ status: 'done', result: { label: 'new', isu_status: 'pending', device_config: {} } })
  expect(await deviceAt(kiosk, 'new')).toMatchObject({ id: added.result?.id, premises_code: 'POSL9' })
  expect(await done('device.add', { company_id: kiosk.companyId, premises_code: 'POSL9', label: 'new' })).toMatchObject(
    {
      ...{ status: 'failed', result: { error: { code: 'invalid_request', param: 'label' } } },
    },
  )

  expect(await done('api_key.revoke', { id: keyId })).toMatchObject({ status: 'done', result: { id: keyId } })
  expect(await done('api_key.revoke', { id: keyId })).toMatchObject({ status: 'done', result: { id: keyId } })

  const retried = await done('invoice.retry', { invoice_id: open.id })
  expect(retried).toMatchObject({ status: 'done', result: { status: 'confirmed', error: null } })
  expect(await kiosk.invoice(open.id)).toMatchObject({ jir: retried.result?.jir, zki: open.zki, number: open.number })
  expect(await done('invoice.retry', { invoice_id: sold.id })).toMatchObject({ status: 'failed' })
  expect(await done('receipt.copy', { invoice_id: sold.id })).toMatchObject({
    ...{ status: 'failed', result: { error: { message: expect.stringContaining('no printer') } } },
  })
  expect(await done('doctor')).toMatchObject({
    status: 'done',
    result: { ok: expect.any(Boolean), checks: expect.any(Array) },
  })

  const requeued = await done('invoices.requeue', { code: 'upstream_signature_invalid' })
  expect(requeued).toMatchObject({ status: 'done', result: { requeued: 0 } })

  expect(issuedBy(kiosk)).toEqual(issued)
  const after = await kiosk.invoice(sold.id)
  for (const field of ['id', 'number', 'zki', 'jir', 'total', 'occurred_at', 'qr_payload'] as const) {
    expect(after[field], field).toBe(sold[field])
  }
  expect((await kiosk.sell()).number).toBe('3')
}, 60_000)

test('a support bundle comes back as a file', async () => {
  const { server, send, answered } = await startCommanded()
  const { id } = await send('support_bundle')
  const command = await answered(id)
  expect(command).toMatchObject({ status: 'done', attachment: { name: `fiskd-support-${id}.tar.gz` } })
  const file = await server.admin(`/admin/gateways/${KIOSK}/commands/${id}/attachment`, {})
  expect(Number(file.headers['content-length'])).toBe(command.result?.bytes)
  expect(command.attachment?.bytes).toBe(command.result?.bytes)
}, 60_000)

test('a certificate that is sent is in use at the gateway, and a wrong one is refused at once', async () => {
  const { server, kiosk, answered } = await startCommanded()
  const path = `/admin/gateways/${KIOSK}/certificates`
  const upload = async (oib: string, passphrase?: string) => {
    const { p12, passphrase: right } = await certificateOf(oib)
    const form = new FormData()
    form.set('company_id', kiosk.companyId)
    form.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
    form.set('passphrase', passphrase ?? right)
    form.set('label', 'from afar')
    return server.admin<{ id: string; body: object; error: { code: string; param: string } }>(path, { body: form })
  }
  expect((await upload(OIBS[0], 'wrong')).body.error).toMatchObject({ code: 'invalid_request', param: 'passphrase' })
  expect((await upload(OIBS[1])).body.error).toMatchObject({ code: 'hr.certificate_oib_mismatch' })
  const sent = await upload(OIBS[0])
  expect(sent.body.body).toEqual({ company_id: kiosk.companyId })
  const command = await answered(sent.body.id)
  expect(command).toMatchObject({ status: 'done', result: { label: 'from afar', subject_oib: OIBS[0] } })
  const inUse = await kiosk.admin<{ data: { id: string; status: string }[] }>('/v1/certificates?status=valid')
  expect(inUse.body.data.map(({ id }) => id)).toEqual([command.result?.id])
  expect((await kiosk.sell()).jir).toMatch(/^[0-9a-f-]{36}$/)
})

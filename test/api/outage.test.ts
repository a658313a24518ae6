import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'

test('a sale made while the tax authority is down gets its JIR by a retry, with the same ZKI', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  expect(sold).toMatchObject({
    status: 'retrying',
    jir: null,
    fiscal_error: { code: 'upstream_unavailable', retry_scheduled: true },
  })
  expect(sold.qr_payload).toContain(`?zki=${sold.zki}&datv=`)

  await gateway.cis.comeBack()
  const { status, body } = await gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: sold.id, status: 'confirmed', zki: sold.zki, number: sold.number })
  expect(body).not.toHaveProperty('fiscal_error')
  expect(await gateway.invoice(sold.id)).toMatchObject({ attempts: 3, late_delivery: true, status: 'confirmed' })
})

test('the sweep does the same by itself, the most endangered sale first', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const hour = 3_600_000
  const sales = [1, 3, 2].map((hours) => ({ occurred_at: new Date(Date.now() - hours * hour).toISOString() }))
  for (const sale of sales) await gateway.sell(sale)
  await gateway.cis.comeBack()
  await gateway.sweep()

  expect(gateway.cis.received.map(({ number }) => number)).toEqual(['2', '3', '1'])
  expect(gateway.cis.received.every(({ lateDelivery }) => lateDelivery)).toBe(true)
})

test('a re-send is a new message about the same sale: new IdPoruke, same ZKI, same sale time', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave('drop-after', 'drop-before')
  const sold = await gateway.sell()
  expect(sold.status).toBe('retrying')
  await gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })

  const { messages } = await gateway.invoice(sold.id)
  expect(messages.map(({ attempt_no }) => attempt_no)).toEqual([1, 2, 3])
  expect(new Set(messages.map(({ message_uuid }) => message_uuid)).size).toBe(3)
  const facts = messages.map(({ request_xml }) => ({
    zki: /<tns:ZastKod>(.*?)</.exec(request_xml)?.[1],
    occurredAt: /<tns:DatVrijeme>(.*?)</.exec(request_xml)?.[1],
    late: /<tns:NakDost>(.*?)</.exec(request_xml)?.[1],
  }))
  expect(new Set(facts.map(({ zki }) => zki))).toEqual(new Set([sold.zki]))
  expect(new Set(facts.map(({ occurredAt }) => occurredAt)).size).toBe(1)
  expect(facts.map(({ late }) => late)).toEqual(['false', 'true', 'true'])
})

test('a first message that fails is followed by a second one in the same request, with NakDost', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave('http-503')
  const sold = await gateway.sell()
  expect(sold.status).toBe('confirmed')
  expect(gateway.cis.received).toMatchObject([{ lateDelivery: true, zki: sold.zki }])
  expect(await gateway.invoice(sold.id)).toMatchObject({
    attempts: 2,
    late_delivery: true,
    messages: [
      { http_status: 503, error_code: 'upstream_unavailable' },
      { http_status: 200, error_code: null },
    ],
  })
})

test('a sale that the tax authority rejects fails, is never swept, and is sent again only when somebody asks', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ error: 's001' })
  const sold = await gateway.sell()
  expect(sold).toMatchObject({
    status: 'failed',
    jir: null,
    fiscal_error: { code: 'upstream_rejected', retry_scheduled: false },
  })
  await gateway.sweep()
  expect(gateway.cis.received).toHaveLength(1)

  const retried = await gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })
  expect(retried.body).toMatchObject({ status: 'confirmed', zki: sold.zki })
})

test.each([
  ['s002', 'upstream_rejected', 'certificate'],
  ['s003', 'upstream_rejected', 'certificate'],
  ['s004', 'upstream_rejected', 'validation'],
  ['s005', 'hr.certificate_oib_mismatch', 'certificate'],
  ['s013', 'upstream_rejected', 'validation'],
] as const)('%s makes the invoice failed with %s, class %s', async (error, code, errorClass) => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ error })
  const sold = await gateway.sell()
  expect(sold).toMatchObject({ status: 'failed', fiscal_error: { code, retry_scheduled: false } })
  expect(await gateway.invoice(sold.id)).toMatchObject({ last_error_class: errorClass, attempts: 1 })
})

test('s006 is an error of the authority: it is tried twice and then swept', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave('s006', 's006')
  const sold = await gateway.sell()
  expect(sold).toMatchObject({ status: 'retrying', fiscal_error: { code: 'upstream_unavailable' } })
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed', attempts: 3 })
})

test.each(['unsigned', 'tampered', 'wrong-signer-ca', 'wrong-signer-cn', 'wrong-message-id', 'bad-jir'] as const)(
  'an answer that is %s is no JIR',
  async (misbehaviour) => {
    const gateway = await startGateway()
    gateway.cis.misbehave(misbehaviour)
    await gateway.cis.prepared()
    const sold = await gateway.sell()
    expect(sold).toMatchObject({ status: 'failed', jir: null, fiscal_error: { code: 'upstream_signature_invalid' } })
  },
)

test('a retry of a confirmed invoice is a conflict', async () => {
  const gateway = await startGateway()
  const sold = await gateway.sell()
  const { status, body } = await gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ type: 'conflict', code: 'invalid_request', param: 'id' })
  expect(gateway.cis.received).toHaveLength(1)
})

test('twenty retries at once send one message, and nobody gets a second JIR', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await gateway.cis.comeBack()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  expect(gateway.cis.received).toHaveLength(1)
})

test('a sale that waited five minutes before it was posted is a late delivery at once', async () => {
  const gateway = await startGateway()
  const ago = (ms: number) => ({ occurred_at: new Date(Date.now() - ms).toISOString() })
  await gateway.sell(ago(4 * 60_000))
  await gateway.sell(ago(6 * 60_000))
  await gateway.sell({ late_delivery: true })
  await gateway.sell({ ...ago(6 * 60_000), late_delivery: false })
  expect(gateway.cis.received.map(({ lateDelivery }) => lateDelivery)).toEqual([false, true, true, true])
})

test('a wrong ISU number is noticed when the authority says so, and cleared by a new one', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ error: 's013', codes: [183] })
  await gateway.sell()
  const device = async () =>
    (await gateway.admin<{ data: object[] }>(`/admin/devices?ref=${gateway.deviceId}`)).body.data[0]
  expect(await device()).toMatchObject({ isu_status: 'mismatch', isu_number: '101' })
  expect((await gateway.sell()).status).toBe('confirmed')

  await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { isu_number: '104' } })
  expect(await device()).toMatchObject({ isu_status: 'assigned', isu_number: '104' })
})

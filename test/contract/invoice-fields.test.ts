import { createHash, createSign } from 'node:crypto'
import { beforeAll, expect } from 'vitest'
import type { Simulator } from '../../src/simulator/index.ts'
import { addCompany, type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { checkSignature, readAnswer } from '../support/simulator.ts'
import {
  ahead,
  DAY_MS,
  element,
  expectBetween,
  type List,
  messageOf,
  type Resource,
  retried,
  sellOffline,
  shown,
  startGatewayOfBothModes,
  timed,
  UUID,
  zagreb,
} from './support-fields.ts'

interface Message {
  id: string
  message_uuid: string
  attempt_no: number
  http_status: number | null
  error_code: string | null
  error_message: string | null
  duration_ms: number
  created_at: string
  request_xml: string
  response_xml: string | null
}

let gateway: Gateway
let live: Simulator
/** A sale whose first message the tax authority never answers, and how both GET endpoints show it meanwhile. */
let timedOut: { gateway: Gateway; sold: Promise<InvoiceBody>; pending: Resource[] }
beforeAll(async () => {
  ;({ gateway, live } = await startGatewayOfBothModes())
  const other = await startSharedGateway()
  other.cis.misbehave('timeout')
  const sold = other.sell()
  timedOut = { gateway: other, sold, pending: await pendingOf(other) }
})

row('Invoice 1 | id', 'is the handle for retrieval and for retry', async () => {
  const sold = await sellOffline(gateway)
  expect(sold.id).toMatch(/^inv_.+/)
  for (const invoice of await shown(gateway, sold.id)) expect(invoice).toMatchObject({ id: sold.id, zki: sold.zki })
  expect(await retried(gateway, sold.id)).toMatchObject({ id: sold.id, zki: sold.zki, status: 'confirmed' })
})

row('Invoice 1 | status', 'is confirmed, retrying or failed in the answers to POST and retry', async () => {
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })
  const waiting = await sellOffline(gateway)
  expect(waiting).toMatchObject({ status: 'retrying' })
  gateway.cis.misbehave('s006', 's006')
  expect(await retried(gateway, waiting.id)).toMatchObject({ status: 'retrying' })
  gateway.cis.misbehave({ error: 's001' }, { error: 's001' })
  const failed = await gateway.sell()
  expect(failed).toMatchObject({ status: 'failed' })
  expect(await retried(gateway, failed.id)).toMatchObject({ status: 'failed' })
  expect(await retried(gateway, failed.id)).toMatchObject({ status: 'confirmed' })
})

row('Invoice 1 | status', 'GET also shows pending while a sale is being sent', async () => {
  expect(timedOut.pending).toHaveLength(2)
  for (const invoice of timedOut.pending) {
    expect(invoice).toMatchObject({ status: 'pending', jir: null, number: '1', attempts: 1, confirmed_at: null })
    expect(invoice.zki).toMatch(/^[0-9a-f]{32}$/)
  }
})

row('Invoice 1 | status', 'GET also shows expired when the deadline has passed', async () => {
  const sold = await sellOffline(gateway)
  await ahead(gateway, 30 * DAY_MS + 1000, async () => {
    for (const invoice of await shown(gateway, sold.id)) expect(invoice).toMatchObject({ status: 'expired', jir: null })
  })
})

row(
  'Invoice 2 | findings',
  'name what the authority will find, at once and with the JIR, are absent otherwise, and in no answer to a POST',
  async () => {
    const vat = [{ rate: '25.00', base: '2.00', amount: '0.50' }]
    const right = await gateway.sell({ vat })
    for (const invoice of await shown(gateway, right.id)) expect(invoice).not.toHaveProperty('findings')
    const wrong = await gateway.sell({ total: '2.60', vat })
    expect(wrong).not.toHaveProperty('findings')
    for (const invoice of await shown(gateway, wrong.id)) expect(invoice).toMatchObject({ findings: ['v166'] })
    const old = { vat, occurred_at: new Date(Date.now() - 3 * DAY_MS).toISOString() }
    const waiting = await sellOffline(gateway, old)
    for (const invoice of await shown(gateway, waiting.id)) expect(invoice).not.toHaveProperty('findings')
    const confirmed = await retried(gateway, waiting.id)
    expect(confirmed.status).toBe('confirmed')
    expect(confirmed).not.toHaveProperty('findings')
    for (const invoice of await shown(gateway, waiting.id)) expect(invoice).toMatchObject({ findings: ['v152'] })
  },
)

row('Invoice 1 | jir', 'is the UUID that the tax authority gave', async () => {
  const sold = await gateway.sell()
  expect(sold.jir).toMatch(UUID)
  expect(gateway.cis.received.at(-1)).toMatchObject({ jir: sold.jir, zki: sold.zki })
  for (const invoice of await shown(gateway, sold.id)) expect(invoice.jir).toBe(sold.jir)
})

row('Invoice 1 | jir', 'is null, and the answer is still 200, as long as there is none', async () => {
  for (const outage of [['http-503', 'drop-before'], [{ error: 's001' }]] as const) {
    gateway.cis.misbehave(...outage)
    const { status, body } = await gateway.post()
    expect(status).toBe(200)
    expect(body.jir).toBeNull()
    for (const invoice of await shown(gateway, body.id)) expect(invoice.jir).toBeNull()
    expect((await retried(gateway, body.id)).jir).toMatch(UUID)
  }
})

row('Invoice 1 | zki', 'is 32 lowercase hex characters whether the sale is confirmed, retrying or failed', async () => {
  const confirmed = await gateway.sell()
  gateway.cis.misbehave({ error: 's004' })
  const failed = await gateway.sell()
  for (const sold of [confirmed, failed, await sellOffline(gateway)]) {
    expect(sold.zki).toMatch(/^[0-9a-f]{32}$/)
    for (const invoice of await shown(gateway, sold.id)) expect(invoice.zki).toBe(sold.zki)
  }
  expect(new Set([confirmed.zki, failed.zki]).size).toBe(2)
})

row('Invoice 1 | zki', "is the MD5 of the company's signature over the sale, on every message about it", async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 90_000
  const sold = await sellOffline(gateway, { occurred_at: new Date(at + 750).toISOString(), total: '-105.50' })
  const { day, month, year, time } = zagreb(at)
  const text = `${OIBS[0]}${day}.${month}.${year} ${time}${sold.number}POSL1101-105.50`
  const signature = createSign('RSA-SHA256')
    .update(text)
    .sign((await certificateOf(OIBS[0])).keyPem)
  expect(sold.zki).toBe(createHash('md5').update(signature).digest('hex'))
  await retried(gateway, sold.id)
  expect((await messagesOf(sold.id)).map(({ request_xml }) => element(request_xml, 'ZastKod'))).toEqual(
    Array.from({ length: 3 }, () => sold.zki),
  )
})

row('Invoice 1 | qr_payload', 'names the JIR, the time in Zagreb to the minute and the total in cents', async () => {
  const at = Date.now() - 3 * 3_600_000
  const { day, month, year, time } = zagreb(at)
  const datv = `${year}${month}${day}_${time.slice(0, 2)}${time.slice(3, 5)}`
  for (const [total, izn] of [
    ['4.50', '450'],
    ['0.05', '5'],
    ['0.00', '0'],
    ['-105.50', '-10550'],
    ['1234.00', '123400'],
  ]) {
    const sold = await gateway.sell({ total, occurred_at: new Date(at).toISOString() })
    const expected = `https://porezna.gov.hr/rn?jir=${sold.jir}&datv=${datv}&izn=${izn}`
    expect(sold.qr_payload).toBe(expected)
    for (const invoice of await shown(gateway, sold.id)) expect(invoice.qr_payload).toBe(expected)
  }
})

row('Invoice 1 | qr_payload', 'names the ZKI in place of the JIR until there is one', async () => {
  const sold = await sellOffline(gateway)
  const tail = sold.qr_payload.slice(sold.qr_payload.indexOf('&datv='))
  expect(sold.qr_payload).toBe(`https://porezna.gov.hr/rn?zki=${sold.zki}${tail}`)
  expect(tail).toMatch(/^&datv=\d{8}_\d{4}&izn=250$/)
  const { jir, qr_payload } = await retried(gateway, sold.id)
  expect(qr_payload).toBe(`https://porezna.gov.hr/rn?jir=${jir}${tail}`)
})

row('Invoice 1 | qr_payload', 'follows summer and winter time', async () => {
  const year = new Date().getUTCFullYear() + 1
  for (const [occurred_at, datv] of [
    [`${year}-01-15T23:30:59Z`, `${year}0116_0030`],
    [`${year}-07-15T22:30:59Z`, `${year}0716_0030`],
    [`${year}-07-15T20:30:59-05:00`, `${year}0716_0330`],
  ] as const) {
    const sold = await ahead(gateway, Date.parse(occurred_at) + 1000 - Date.now(), () =>
      sellOffline(gateway, { occurred_at }),
    )
    expect(sold.qr_payload).toContain(`&datv=${datv}&`)
  }
})

row('Invoice 1 | number', 'is the number supplied, else the next one, as the tax authority gets it', async () => {
  const device_id = await gateway.addDevice({ premises_code: 'BROJ', isu_number: '2001' })
  for (const [sale, number] of [
    [{}, '1'],
    [{ number: '41' }, '41'],
    [{}, '42'],
    [{ number: '12345678901234567890' }, '12345678901234567890'],
  ] as const) {
    const sold = await gateway.sell({ device_id, ...sale })
    expect(sold.number).toBe(number)
    expect(element(messageOf(gateway, sold), 'BrOznRac')).toBe(number)
    for (const invoice of await shown(gateway, sold.id)) expect(invoice.number).toBe(number)
  }
})

row('Invoice 1 | occurred_at, total, currency', 'come back as they were sent, the currency always EUR', async () => {
  const second = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
  for (const sale of [
    { occurred_at: `${second}Z`, total: '2.50' },
    { occurred_at: `${second}.5+00:00`, total: '-0.01', currency: 'EUR' },
    { occurred_at: `${shifted(second, -30)}-00:30`, total: '0.00', currency: null },
  ]) {
    const echoed = { occurred_at: sale.occurred_at, total: sale.total, currency: 'EUR' }
    const sold = await gateway.sell(sale)
    for (const invoice of [sold, ...(await shown(gateway, sold.id))]) expect(invoice).toMatchObject(echoed)
  }
})

row('Invoice 1 | fiscal_error', 'says why there is no JIR, and whether it is sent again by itself', async () => {
  const retrying = await sellOffline(gateway)
  gateway.cis.misbehave({ error: 's001' })
  const failed = await gateway.sell()
  for (const [sold, code, retry_scheduled] of [
    [retrying, 'upstream_unavailable', true],
    [failed, 'upstream_rejected', false],
  ] as const) {
    expect(sold.fiscal_error).toEqual({ code, message: expect.stringMatching(/./), retry_scheduled })
    const again = await retried(gateway, sold.id)
    for (const invoice of [again, ...(await shown(gateway, sold.id))])
      expect(invoice).not.toHaveProperty('fiscal_error')
  }
})

row('Invoice 1 | fiscal_error', 'is absent where there is a JIR', async () => {
  const sold = await gateway.sell()
  expect(sold).not.toHaveProperty('fiscal_error')
  expect(sold.status).toBe('confirmed')
})

row('Invoice 2 | company_id, device_id', 'are the UUIDs of the origin', async () => {
  const device_id = await gateway.addDevice({ isu_number: '2002' })
  const sold = await gateway.sell({ device_id })
  for (const invoice of await shown(gateway, sold.id)) {
    expect(invoice).toMatchObject({ device_id, company_id: gateway.companyId })
    expect(invoice.device_id).toMatch(UUID)
    expect(invoice.company_id).toMatch(UUID)
  }
})

row('Invoice 2 | payment_method', 'is what the tax authority was told, configured or sent', async () => {
  const device_config = { payment_method: 'K' }
  const device_id = await gateway.addDevice({ isu_number: '2003', device_config })
  const attended = { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[1], payment_method: 'T' }
  for (const [sale, method] of [
    [{ payment_method: 'G' }, 'G'],
    [{ payment_method: 'K' }, 'K'],
    [{ payment_method: 'O' }, 'O'],
    [{ payment_method: undefined, device_id }, 'K'],
    [attended, 'T'],
  ] as const) {
    const sold = await gateway.sell(sale)
    expect(element(messageOf(gateway, sold), 'NacinPlac')).toBe(method)
    for (const invoice of await shown(gateway, sold.id)) expect(invoice.payment_method).toBe(method)
  }
})

row('Invoice 2 | mode', 'is the mode of the key and of the service that was reached', async () => {
  const sold = await gateway.sell()
  for (const invoice of await shown(gateway, sold.id)) expect(invoice.mode).toBe('test')

  const company_id = await addCompany(gateway, OIBS[1], { mode: 'live' })
  const device_id = await gateway.addDevice({ company_id, isu_number: '2004' })
  const key = await gateway.createKey({ mode: 'live' })
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'live' }
  const { body } = await gateway.v1('/invoices', { body: gateway.sale({ device_id }), headers })
  expect(live.received).toMatchObject([{ jir: body.jir, zki: body.zki }])
  expect((await gateway.v1(`/invoices/${body.id}`, { headers })).body).toMatchObject({ mode: 'live', jir: body.jir })
  const list = (await gateway.v1('/invoices', { headers })) as unknown as List
  expect(list.body.data).toMatchObject([{ mode: 'live', id: body.id }])
})

row('Invoice 2 | attempts', 'is how many times it has been sent', async () => {
  const first = await gateway.sell()
  await expectShown(first.id, { attempts: 1 })

  gateway.cis.misbehave('http-503')
  const second = await gateway.sell()
  await expectShown(second.id, { attempts: 2, status: 'confirmed' })

  const waiting = await sellOffline(gateway)
  await expectShown(waiting.id, { attempts: 2, status: 'retrying' })
  gateway.cis.misbehave('s006', 's006')
  await retried(gateway, waiting.id)
  await expectShown(waiting.id, { attempts: 4, status: 'retrying' })
  await retried(gateway, waiting.id)
  await expectShown(waiting.id, { attempts: 5, status: 'confirmed' })
})

row('Invoice 2 | late_delivery', 'is false for a sale that is sent at once', async () => {
  const sold = await gateway.sell()
  await expectShown(sold.id, { late_delivery: false })
  expect(element(messageOf(gateway, sold), 'NakDost')).toBe('false')
})

row('Invoice 2 | late_delivery', 'is true once it has been submitted after the sale moment', async () => {
  gateway.cis.misbehave('http-503')
  const again = await gateway.sell()
  const old = await gateway.sell({ occurred_at: new Date(Date.now() - 6 * 60_000).toISOString() })
  const forced = await gateway.sell({ late_delivery: true })
  const swept = await sellOffline(gateway)
  await gateway.sweep()
  gateway.cis.misbehave({ error: 's001' })
  const failed = await gateway.sell()
  await expectShown(failed.id, { late_delivery: false })
  await retried(gateway, failed.id)
  for (const sold of [again, old, forced, swept, failed]) {
    await expectShown(sold.id, { late_delivery: true, status: 'confirmed' })
    expect(element(messageOf(gateway, sold), 'NakDost')).toBe('true')
  }
})

row('Invoice 2 | deadline_at', 'is 30 days after the sale', async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 3 * DAY_MS
  for (const occurred_at of [new Date(at).toISOString(), `${shifted(new Date(at).toISOString(), 120)}+02:00`]) {
    const sold = await gateway.sell({ occurred_at })
    for (const { deadline_at } of await shown(gateway, sold.id)) {
      expect(Date.parse(String(deadline_at))).toBe(at + 30 * DAY_MS)
    }
  }
})

row('Invoice 2 | deadline_at', 'past it the invoice is expired, before it is not', async () => {
  const occurred_at = new Date().toISOString()
  const retrying = await sellOffline(gateway, { occurred_at })
  gateway.cis.misbehave({ error: 's001' })
  const failed = await gateway.sell({ occurred_at })
  const confirmed = await gateway.sell({ occurred_at })
  const untilDeadline = Date.parse(occurred_at) + 30 * DAY_MS - Date.now()
  await ahead(gateway, untilDeadline - 60_000, async () => {
    await expectShown(retrying.id, { status: 'retrying' })
    await expectShown(failed.id, { status: 'failed' })
  })
  await ahead(gateway, untilDeadline + 1000, async () => {
    await expectShown(retrying.id, { status: 'expired', fiscal_error: { retry_scheduled: false } })
    await expectShown(failed.id, { status: 'expired' })
    await expectShown(confirmed.id, { status: 'confirmed' })
  })
})

row('Invoice 2 | confirmed_at', 'is when the JIR arrived, and null before', async () => {
  const { result: sold, from, to } = await timed(() => gateway.sell())
  for (const invoice of await shown(gateway, sold.id)) expectBetween(invoice.confirmed_at, from, to)

  const waiting = await sellOffline(gateway)
  await expectShown(waiting.id, { confirmed_at: null })
  const hour = 3_600_000
  const retry = await timed(() => ahead(gateway, hour, () => retried(gateway, waiting.id)))
  for (const { confirmed_at } of await shown(gateway, waiting.id)) {
    expectBetween(confirmed_at, retry.from + hour, retry.to + hour)
  }
})

row('Invoice 2 | created_at', 'is when the service took the sale up, not when it was made', async () => {
  const occurred_at = new Date(Date.now() - 3_600_000).toISOString()
  const { result: sold, from, to } = await timed(() => sellOffline(gateway, { occurred_at }))
  await ahead(gateway, 60_000, () => retried(gateway, sold.id))
  for (const { created_at } of await shown(gateway, sold.id)) expectBetween(created_at, from, to)
})

row('Invoice 2 | last_error_class', 'is null when nothing went wrong, or no longer does', async () => {
  const sold = await gateway.sell()
  await expectShown(sold.id, { last_error_class: null })
  const waiting = await sellOffline(gateway)
  await expectShown(waiting.id, { last_error_class: 'transient' })
  await retried(gateway, waiting.id)
  await expectShown(waiting.id, { last_error_class: null })
})

row('Invoice 2 | last_error_class', 'only what is transient is swept', async () => {
  const sales: [errorClass: string, id: string][] = []
  for (const [error, errorClass] of [
    ['s001', 'validation'],
    ['s013', 'validation'],
    ['s002', 'certificate'],
    ['s005', 'certificate'],
    ['s006', 'transient'],
  ] as const) {
    gateway.cis.misbehave({ error })
    if (errorClass === 'transient') gateway.cis.misbehave({ error })
    const { id } = await gateway.sell()
    await expectShown(id, { last_error_class: errorClass })
    sales.push([errorClass, id])
  }
  await gateway.sweep()
  for (const [errorClass, id] of sales) {
    await expectShown(id, { status: errorClass === 'transient' ? 'confirmed' : 'failed' })
  }
})

row('Invoice 2 | fiscal_error', 'is in GET responses and list rows of invoices without a JIR', async () => {
  const sold = await sellOffline(gateway)
  await expectShown(sold.id, { fiscal_error: sold.fiscal_error })
  gateway.cis.misbehave('unsigned')
  const failed = await gateway.sell()
  await expectShown(failed.id, {
    fiscal_error: { code: 'upstream_signature_invalid', message: expect.any(String), retry_scheduled: false },
  })
})

row('Invoice 2 | messages', 'are there only when they were asked for', async () => {
  const sold = await gateway.sell()
  expect(sold).not.toHaveProperty('messages')
  for (const invoice of await shown(gateway, sold.id)) expect(invoice).not.toHaveProperty('messages')
  const off = await gateway.v1(`/invoices/${sold.id}?include_messages=false`)
  expect(off.body).not.toHaveProperty('messages')
  const on = await gateway.v1(`/invoices/${sold.id}?include_messages=true`)
  expect(on.body).toMatchObject({ id: sold.id, messages: [{ attempt_no: 1 }] })
})

row('Invoice 2 | messages', 'come with a sale or a retry too, by query or by header', async () => {
  for (const [query, header] of [
    ['?include_messages=true', {}],
    ['', { 'x-include-messages': 'true' }],
  ] as const) {
    const headers = { ...header, 'idempotency-key': `messages ${query}` }
    gateway.cis.misbehave('http-503', 'http-503')
    const { body } = await gateway.v1(`/invoices${query}`, { body: gateway.sale(), headers })
    expect(body).toMatchObject({ status: 'retrying', messages: [{ attempt_no: 1 }, { attempt_no: 2 }] })
    const retry = await gateway.v1(`/invoices/${body.id}/retry${query}`, { method: 'POST', headers: header })
    expect(retry.body.messages.map(({ attempt_no }) => attempt_no)).toEqual([1, 2, 3])
  }
})

row('Invoice 3 | id', 'is a UUID of the record, the same each time it is read', async () => {
  const { sold, messages } = await sentThrice()
  const ids = messages.map(({ id }) => id)
  for (const id of ids) expect(id).toMatch(UUID)
  expect(new Set([...ids, ...messages.map(({ message_uuid }) => message_uuid)]).size).toBe(6)
  expect((await messagesOf(sold.id)).map(({ id }) => id)).toEqual(ids)
})

row('Invoice 3 | message_uuid', 'is the IdPoruke of that attempt, a fresh UUID on each', async () => {
  const { sold, messages } = await sentThrice()
  for (const { message_uuid, request_xml } of messages) {
    expect(message_uuid).toMatch(UUID)
    expect(element(request_xml, 'IdPoruke')).toBe(message_uuid)
  }
  const uuids = messages.map(({ message_uuid }) => message_uuid)
  expect(new Set(uuids).size).toBe(3)
  const received = gateway.cis.received.filter(({ zki }) => zki === sold.zki).map(({ messageId }) => messageId)
  expect(received).toEqual(uuids)
})

row('Invoice 3 | attempt_no', 'counts from 1 for the original send, the oldest first', async () => {
  const { sold, messages } = await sentThrice()
  expect(messages.map(({ attempt_no }) => attempt_no)).toEqual([1, 2, 3])
  await expectShown(sold.id, { attempts: 3 })
})

row('Invoice 3 | http_status', 'is the status of the transport', async () => {
  for (const [misbehaviour, status] of [
    [null, 200],
    ['http-503', 503],
    ['html-500', 500],
    [{ error: 's001' }, 500],
    ['not-xml', 200],
  ] as const) {
    if (misbehaviour !== null) gateway.cis.misbehave(misbehaviour)
    const [message] = await messagesOf((await gateway.sell()).id)
    expect(message?.http_status, JSON.stringify(misbehaviour)).toBe(status)
  }
})

row('Invoice 3 | http_status', 'is null when no answer came', async () => {
  const sold = await sellOffline(gateway)
  gateway.cis.misbehave('drop-after')
  await retried(gateway, sold.id)
  const statuses = (await messagesOf(sold.id)).map(({ http_status }) => http_status)
  expect(statuses).toEqual([null, null, null, 200])
})

row(
  'Invoice 3 | error_code, error_message',
  'classify the failure of that attempt, and are null without one',
  async () => {
    gateway.cis.misbehave('http-503', { error: 's001', message: 'Poruka je kriva.' })
    const sold = await gateway.sell()
    await retried(gateway, sold.id)
    expect(await messagesOf(sold.id)).toMatchObject([
      { error_code: 'upstream_unavailable', error_message: expect.stringMatching(/./) },
      { error_code: 'upstream_rejected', error_message: 's001: Poruka je kriva.' },
      { error_code: null, error_message: null },
    ])
  },
)

row('Invoice 3 | error_code, error_message', 'name what was wrong with the answer or the certificate', async () => {
  for (const [misbehaviour, code] of [
    ['unsigned', 'upstream_signature_invalid'],
    [{ error: 's005' }, 'hr.certificate_oib_mismatch'],
    ['s006', 'upstream_unavailable'],
    ['drop-before', 'upstream_unavailable'],
  ] as const) {
    gateway.cis.misbehave(misbehaviour)
    const [message] = await messagesOf((await gateway.sell()).id)
    expect(message, JSON.stringify(misbehaviour)).toMatchObject({
      error_code: code,
      error_message: expect.stringMatching(/./),
    })
  }
})

row('Invoice 3 | duration_ms', 'is the time of that exchange alone', async () => {
  gateway.cis.misbehave('http-503', { delayMs: 120 })
  const { result: sold, from, to } = await timed(() => gateway.sell())
  const [quick, slow] = (await messagesOf(sold.id)).map(({ duration_ms }) => duration_ms)
  for (const duration of [quick, slow]) expect(duration).toSatisfy(Number.isInteger)
  expect(slow).toBeGreaterThanOrEqual(119)
  expect(Number(quick) + Number(slow)).toBeLessThanOrEqual(to - from + 2)
})

row('Invoice 3 | created_at', 'is when that attempt was made', async () => {
  const first = await timed(() => sellOffline(gateway))
  const hour = 3_600_000
  const retry = await timed(() => ahead(gateway, hour, () => retried(gateway, first.result.id)))
  const moments = (await messagesOf(first.result.id)).map(({ created_at }) => created_at)
  expect(moments).toHaveLength(3)
  expectBetween(moments[0], first.from, first.to)
  expectBetween(moments[1], Date.parse(String(moments[0])), first.to)
  expectBetween(moments[2], retry.from + hour, retry.to + hour)
})

row('Invoice 3 | request_xml, response_xml', 'are the bytes that went out and the answer as it came', async () => {
  const sold = await gateway.sell({ special_purpose: 'šećer & <čaj>' })
  const [message] = await messagesOf(sold.id)
  expect(message?.request_xml).toBe(messageOf(gateway, sold))
  const answer = String(message?.response_xml)
  // Whoever had changed a byte of what the authority signed would have broken its signature.
  expect(checkSignature(answer)).toMatchObject({ valid: true, covered: expect.stringContaining(String(sold.jir)) })
  expect(readAnswer(answer)).toEqual({ messageId: message?.message_uuid, jir: sold.jir, codes: [] })
})

row('Invoice 3 | request_xml, response_xml', 'are kept of attempts that failed, too', async () => {
  gateway.cis.misbehave('http-503', { error: 's013', codes: [179] })
  const sold = await gateway.sell()
  const [unavailable, rejected] = await messagesOf(sold.id)
  expect(unavailable?.response_xml).toBe('Service Unavailable')
  expect(rejected?.request_xml).toBe(messageOf(gateway, sold))
  expect(readAnswer(String(rejected?.response_xml)).codes).toEqual(['s013'])
})

row('Invoice 3 | request_xml, response_xml', 'there is no response to a message that timed out', async () => {
  const sold = await timedOut.sold
  expect(timedOut.pending).toMatchObject([sold, sold].map(({ id, zki, number }) => ({ id, zki, number })))
  const [first, second] = (await timedOut.gateway.invoice(sold.id)).messages as Message[]
  expect(first).toMatchObject({ response_xml: null, http_status: null, error_code: 'upstream_unavailable' })
  expect(element(String(first?.request_xml), 'ZastKod')).toBe(sold.zki)
  expect(Number(first?.duration_ms)).toBeGreaterThan(3900)
  expect(Number(first?.duration_ms)).toBeLessThan(30_000)
  expect(second?.response_xml).toContain(sold.jir)
})

async function messagesOf(id: string): Promise<Message[]> {
  return (await gateway.invoice(id)).messages as Message[]
}

/** A sale that the tax authority has seen three times, with the records of it. */
async function sentThrice() {
  gateway.cis.misbehave('drop-after', 's006')
  const sold = await gateway.sell()
  await retried(gateway, sold.id)
  return { sold, messages: await messagesOf(sold.id) }
}

/** The invoice that is being sent, alone and as rows of the list. */
async function pendingOf(other: Gateway): Promise<Resource[]> {
  for (;;) {
    const list = (await other.v1('/invoices?status=pending')) as unknown as List
    const [row] = list.body.data
    if (row) return [(await other.v1(`/invoices/${row.id}`)).body as unknown as Resource, ...list.body.data]
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function expectShown(id: string, expected: object): Promise<void> {
  for (const invoice of await shown(gateway, id)) expect(invoice).toMatchObject(expected)
}

/** The local part of a moment, by an offset in minutes. */
function shifted(text: string, minutes: number): string {
  return new Date(Date.parse(`${text.slice(0, 19)}Z`) + minutes * 60_000).toISOString().slice(0, 19)
}

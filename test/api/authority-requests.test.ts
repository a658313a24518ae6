import { expect, test } from 'vitest'
import { formatZagreb } from '../../src/domain/zagreb.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { hoursAt } from '../support/hours-cases.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS } from '../support/pki.ts'

const TODAY = formatZagreb(Date.now(), 'dd.MM.yyyy HH:mm:ss').slice(0, 10).split('.').reverse().join('-')
const { date } = hoursAt(TODAY)
const DAILY = { regular: [{ from: date(1), hours: 'daily 00:00-24:00' }], exceptions: [] }

interface Body {
  id: string
  state: string
  code: string | null
  message: string | null
  regular: { from: string; hours: string }[]
  exceptions: { date: string; hours: string }[]
  data: { state: string; asked: Record<string, unknown> }[]
  error: { code: string; param: string; message: string }
  ended_at: string | null
  total: number
  done: number
  unchanged: number
  refused: number
}

const ask = (gateway: Gateway, path: string, body?: unknown) =>
  gateway.admin<Body>(path, body === undefined ? {} : { body })

const auditOf = async (gateway: Gateway) =>
  (await gateway.admin<{ data: { action: string; detail: Record<string, unknown> }[] }>('/admin/audit')).body.data

test('hours are registered, shown and deleted, and their history stays', async () => {
  const gateway = await startGateway()
  const at = { device_id: gateway.deviceId }
  expect((await ask(gateway, `/admin/hours?device_id=${gateway.deviceId}`)).body).toMatchObject({
    state: 'refused',
    code: 's110',
  })
  const hours = { ...DAILY, exceptions: [{ date: date(24), hours: '08:00-12:00 16:00-20:00' }] }
  expect((await ask(gateway, '/admin/hours', { ...at, ...hours })).body).toMatchObject({ state: 'done', code: 'p003' })
  expect((await ask(gateway, `/admin/hours?device_id=${gateway.deviceId}`)).body).toMatchObject({
    state: 'done',
    ...hours,
  })
  const days = { regular: [date(1)], exceptions: [] }
  expect((await ask(gateway, '/admin/hours/remove', { ...at, ...days })).body).toMatchObject({ code: 'p004' })
  const company = `company_id=${gateway.companyId}&premises_code=POSL1`
  const { data } = (await ask(gateway, `/admin/hours/history?${company}`)).body
  expect(data.map(({ asked }) => asked.kind)).toEqual(['hours_removed', 'hours_set'])
  expect((await auditOf(gateway)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['hours.set', 'hours.removed']),
  )
  expect(gateway.cis.requested.every(({ oib, premisesCode }) => oib && premisesCode === 'POSL1')).toBe(true)
})

test('what the authority would refuse is refused before it is sent, by its code', async () => {
  const gateway = await startGateway()
  const set = (hours: object) => ask(gateway, '/admin/hours', { device_id: gateway.deviceId, ...hours })
  const late = await set({ ...DAILY, regular: [{ from: date(45), hours: 'daily 00:00-24:00' }] })
  expect(late).toMatchObject({ status: 400, body: { error: { param: 'regular[0].from' } } })
  expect(late.body.error.message).toContain('s103')
  const wrong = await set({ ...DAILY, regular: [{ from: date(1), hours: 'always' }] })
  expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'regular[0].hours' } } })
  expect((await ask(gateway, '/admin/hours', { ...DAILY })).status).toBe(400)
  expect(gateway.cis.requested).toEqual([])
})

test('an answer that cannot be believed leaves it unknown whether the hours were taken, and that is kept', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave('tampered')
  const set = await ask(gateway, '/admin/hours', { device_id: gateway.deviceId, ...DAILY })
  expect(set.body).toMatchObject({ state: 'unknown', code: null })
  const { data } = (await ask(gateway, `/admin/hours/history?device_id=${gateway.deviceId}`)).body
  expect(data).toMatchObject([{ state: 'unknown' }])
})

test('a payment method is corrected on the day of the sale; the invoice stays as it was issued', async () => {
  const gateway = await startGateway()
  const sold = await gateway.sell()
  const correct = (changes: object) => ask(gateway, `/admin/invoices/${sold.id}/correct`, changes)
  expect((await correct({ payment_method: 'K' })).body).toMatchObject({ state: 'done', code: 'p005' })
  expect((await correct({ payment_method: 'K' })).status).toBe(409)
  expect((await correct({ payment_method: 'O' })).body).toMatchObject({ state: 'done' })
  const after = await gateway.v1(`/invoices/${sold.id}`)
  expect(after.body).toMatchObject({ id: sold.id, payment_method: 'G', jir: sold.jir, zki: sold.zki })
  const corrected = (await auditOf(gateway)).filter(({ action }) => action === 'invoice.corrected')
  expect(corrected.map(({ detail }) => [detail.from, detail.to])).toEqual([
    ['K', 'O'],
    ['G', 'K'],
  ])
  expect((await correct({ payment_method: 'T' })).status).toBe(400)
  expect((await correct({ recipient_oib: '02994650199' })).status).toBe(409)
})

test('the recipient of an attended sale is corrected, taken away, and judged by its check digit', async () => {
  const gateway = await startGateway()
  const attended = { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[1] }
  const sold = await gateway.sell(attended)
  const correct = (changes: object) => ask(gateway, `/admin/invoices/${sold.id}/correct`, changes)
  const wrong = await correct({ recipient_oib: '02994650190' })
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'hr.invalid_oib', param: 'recipient_oib' } } })
  const both = await correct({ recipient_oib: OIBS[0], payment_method: 'T' })
  expect(both).toMatchObject({ status: 400, body: { error: { code: 'hr.invalid_payment_method' } } })
  expect((await correct({ recipient_oib: OIBS[0] })).body).toMatchObject({ state: 'done' })
  expect((await correct({ recipient_oib: null, payment_method: 'T' })).body).toMatchObject({ state: 'done' })
  const sent = gateway.cis.requested.map(
    ({ requestXml }) => /<tns:PromijenjeniNacinPlac>.*?(?=<\/tns:Racun>)/.exec(requestXml)?.[0],
  )
  expect(sent).toEqual([
    `<tns:PromijenjeniNacinPlac>G</tns:PromijenjeniNacinPlac><tns:PromijenjeniOibPrimateljaRacuna>${OIBS[0]}</tns:PromijenjeniOibPrimateljaRacuna>`,
    '<tns:PromijenjeniNacinPlac>T</tns:PromijenjeniNacinPlac><tns:PromijenjeniOibPrimateljaRacuna></tns:PromijenjeniOibPrimateljaRacuna>',
  ])
})

test('a correction whose answer was lost is not taken for done, and may be sent again', async () => {
  const gateway = await startGateway()
  const sold = await gateway.sell()
  // Done there, and the answer is lost.
  gateway.cis.misbehave('drop-after')
  const lost = await ask(gateway, `/admin/invoices/${sold.id}/correct`, { payment_method: 'K' })
  expect(lost.body).toMatchObject({ state: 'unknown', code: null })
  await gateway.restart()
  const again = await ask(gateway, `/admin/invoices/${sold.id}/correct`, { payment_method: 'K' })
  expect(again.body).toMatchObject({ state: 'done', code: 'p005' })
})

test('a sale without JIR is not corrected, nor one of another day: nothing is sent', async () => {
  const gateway = await startGateway()
  gateway.cis.always('http-503')
  const open = await gateway.sell()
  gateway.cis.always(null)
  const old = await gateway.sell({ occurred_at: new Date(Date.now() - 86_400_000).toISOString() })
  for (const { id } of [open, old]) {
    expect((await ask(gateway, `/admin/invoices/${id}/correct`, { payment_method: 'K' })).status).toBe(409)
  }
  expect(gateway.cis.requested).toEqual([])
})

test('a file with a wrong row registers nothing, and names the line and what to do', async () => {
  const gateway = await startGateway()
  const send = async (...rows: string[]) => {
    const { status, body } = await ask(gateway, '/admin/hours/file', { file: ['label;from;hours', ...rows].join('\n') })
    return [status, body.error.param, body.error.message]
  }
  const right = `machine;${date(1)};daily 00:00-24:00`
  expect(await send(right, 'other;1.1.2030.;daily 00:00-24:00')).toEqual([
    400,
    'file',
    expect.stringMatching(/^line 3, other: (There is no|No) device/),
  ])
  expect(await send(right, `machine;${date(8)};always`)).toEqual([
    400,
    'file',
    expect.stringContaining('Write hours as'),
  ])
  expect(gateway.cis.requested).toEqual([])
})

const MACHINES = 500

test('the hours of 500 machines go out by one file, through an outage and a restart, and none is sent twice', async () => {
  const gateway = await startGateway()
  const rows = []
  for (let i = 0; i < MACHINES; i++) {
    await gateway.addDevice({ label: `M${i}`, premises_code: `H${i}` })
    rows.push(`M${i};${date(1)};daily 00:00-24:00`)
  }
  const file = ['label;from;hours', ...rows].join('\n')
  const { body: job } = await ask(gateway, '/admin/hours/file', { file })
  expect(job).toMatchObject({ total: MACHINES, ended_at: null })
  const requested = () => gateway.cis.requested.filter(({ operation }) => operation === 'prijaviRadnoVrijeme')
  await expect.poll(() => requested().length, { timeout: PATIENCE_MS }).toBeGreaterThan(50)
  await gateway.cis.goDown()
  await gateway.cis.comeBack()
  await expect.poll(() => requested().length, { timeout: PATIENCE_MS }).toBeGreaterThan(150)
  // Taken, and the answer is lost.
  gateway.cis.misbehave('drop-after')
  await expect.poll(() => requested().length, { timeout: PATIENCE_MS }).toBeGreaterThan(250)
  await gateway.restart()
  const progress = async () => (await ask(gateway, `/admin/jobs/${job.id}`)).body
  await expect.poll(async () => (await progress()).ended_at, { timeout: PATIENCE_MS, interval: 500 }).not.toBeNull()
  expect(await progress()).toMatchObject({ done: MACHINES, refused: 0, unchanged: 0 })
  const premises = requested().map(({ premisesCode }) => premisesCode)
  expect(new Set(premises).size).toBe(MACHINES)
  expect(premises).toHaveLength(MACHINES)
}, 300_000)
